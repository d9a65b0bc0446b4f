-- contract: not used since 0.4.0
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_outcome";--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_state";--> statement-breakpoint
-- What may have been sent stands at no lead any more; its key is still answered with that.
UPDATE "attempts" SET "user_id" = NULL, "channel" = NULL, "outcome" = NULL, "sent_key" = NULL WHERE "outcome" = 'unsure';--> statement-breakpoint
UPDATE "mails" SET "state" = 'unknown' WHERE "state" = 'unsure';--> statement-breakpoint
UPDATE "mails" SET "sender" = '' WHERE "sender" IS NULL;--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "sender" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" DROP COLUMN "recipient";--> statement-breakpoint
ALTER TABLE "mails" DROP COLUMN "digest";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_outcome" CHECK ("attempts"."outcome" in ('sent', 'talked', 'no-answer', 'call-again'));
