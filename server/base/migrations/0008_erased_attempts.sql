-- The release before this one erases what is kept about a lead and knows of no attempts: the entry of the log that says so takes
-- them along, whoever writes it. What was noted after an erasure stays, also where a backup's log is read in.
CREATE FUNCTION "attempts_erased"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtext('intag.triage'));
	UPDATE "attempts"
		SET "user_id" = NULL, "channel" = NULL, "outcome" = NULL, "at" = now(), "revision" = nextval('triage_revision')
		WHERE "kind" = NEW.lead_kind AND "lead_id" = NEW.lead_id AND "outcome" IS NOT NULL AND "at" <= NEW.at;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "attempts_erased" AFTER INSERT ON "activity"
	FOR EACH ROW WHEN (NEW.action = 'data-erased') EXECUTE FUNCTION "attempts_erased"();
