CREATE TABLE "attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"user_id" text,
	"at" timestamp with time zone NOT NULL,
	"channel" text,
	"outcome" text,
	"sent_key" text,
	"revision" bigint DEFAULT nextval('triage_revision') NOT NULL,
	CONSTRAINT "attempts_sent_key_unique" UNIQUE("sent_key"),
	CONSTRAINT "attempts_outcome" CHECK ("attempts"."outcome" in ('sent', 'talked', 'no-answer', 'call-again'))
);
--> statement-breakpoint
CREATE TABLE "mentions" (
	"note_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	CONSTRAINT "mentions_note_id_user_id_pk" PRIMARY KEY("note_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "triage" ADD COLUMN "snooze_until" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_note_id_notes_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."notes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_revision" ON "attempts" USING btree ("revision");--> statement-breakpoint
CREATE INDEX "attempts_lead" ON "attempts" USING btree ("kind","lead_id");--> statement-breakpoint
CREATE INDEX "attempts_at" ON "attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mentions_user" ON "mentions" USING btree ("user_id","seen_at");