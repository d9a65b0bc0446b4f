CREATE TABLE "batches" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "batches_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"fields" jsonb,
	"leads" text,
	"done" integer DEFAULT 0 NOT NULL,
	"at" timestamp with time zone,
	"revision" bigint,
	"first_log" bigint,
	"last_log" bigint,
	"undone_log" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text NOT NULL,
	"heartbeat" timestamp with time zone NOT NULL,
	CONSTRAINT "batches_state" CHECK ("batches"."state" in ('changing', 'undoing', 'finished', 'taken-back', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "triage_deletions" (
	"revision" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_open" ON "batches" USING btree ("number") WHERE "batches"."state" in ('changing', 'undoing');--> statement-breakpoint
CREATE INDEX "triage_deletions_deleted_at" ON "triage_deletions" USING btree ("deleted_at");--> statement-breakpoint
ALTER TABLE "batches" ALTER COLUMN "leads" SET STORAGE EXTERNAL;--> statement-breakpoint
-- Whoever deletes rows of triage, the release before this one or an administrator of the database: numbers are given under
-- the lock of all writers, so that they are seen in their order.
CREATE FUNCTION "triage_rows_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM gone) THEN
		RETURN NULL;
	END IF;
	PERFORM pg_advisory_xact_lock(hashtext('intag.triage'));
	INSERT INTO "triage_deletions" ("revision", "kind", "lead_id", "deleted_at")
		SELECT nextval('triage_revision'), gone.kind, gone.lead_id, now() FROM gone;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "triage_rows_deleted" AFTER DELETE ON "triage" REFERENCING OLD TABLE AS gone
	FOR EACH STATEMENT EXECUTE FUNCTION "triage_rows_deleted"();
