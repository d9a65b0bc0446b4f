ALTER TABLE "triage" ADD COLUMN "status_at" timestamp with time zone;--> statement-breakpoint
UPDATE "triage" SET "status_at" = coalesce((
	SELECT max("at") FROM "activity"
	WHERE "lead_kind" = "triage"."kind" AND "activity"."lead_id" = "triage"."lead_id" AND "action" IN ('triage-changed', 'triage-undone')
		AND "details" ->> 'to' = "triage"."status" AND "details" ->> 'from' <> "details" ->> 'to'
), "updated_at");--> statement-breakpoint
-- Whoever writes the row, the release before this one knows nothing of the column. A copy brings its moments along. The function
-- may be there: that release makes the tables anew for a backup of its own and leaves it.
CREATE OR REPLACE FUNCTION "triage_status_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.status_at := NEW.updated_at;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "triage_status_first" BEFORE INSERT ON "triage"
	FOR EACH ROW WHEN (NEW.status_at IS NULL) EXECUTE FUNCTION "triage_status_at"();--> statement-breakpoint
CREATE TRIGGER "triage_status_moved" BEFORE UPDATE ON "triage"
	FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION "triage_status_at"();
