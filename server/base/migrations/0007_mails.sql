CREATE TABLE "mails" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "mails_state" CHECK ("mails"."state" in ('sending', 'unsure', 'sent'))
);
--> statement-breakpoint
CREATE INDEX "mails_at" ON "mails" USING btree ("at");