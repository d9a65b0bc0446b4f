ALTER TABLE "attempts" DROP CONSTRAINT "attempts_outcome";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "sender" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "recipient" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "digest" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_outcome" CHECK ("attempts"."outcome" in ('sent', 'talked', 'no-answer', 'call-again', 'unsure'));