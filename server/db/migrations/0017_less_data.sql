-- contract: not used since 0.4.0
DROP TABLE "batches" CASCADE;--> statement-breakpoint
DROP TABLE "jobs" CASCADE;--> statement-breakpoint
-- What the release before needed: it knew neither attempts nor the moment of a status.
DROP TRIGGER "attempts_erased" ON "activity";--> statement-breakpoint
DROP FUNCTION "attempts_erased"();--> statement-breakpoint
DROP TRIGGER "triage_status_first" ON "triage";--> statement-breakpoint
DROP TRIGGER "triage_status_moved" ON "triage";--> statement-breakpoint
DROP FUNCTION "triage_status_at"();--> statement-breakpoint
-- Writers hold this lock together: it tells readers that revisions are under way.
CREATE OR REPLACE FUNCTION "triage_rows_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM gone) THEN
		RETURN NULL;
	END IF;
	PERFORM pg_advisory_xact_lock_shared(hashtext('intag.triage'));
	INSERT INTO "triage_deletions" ("revision", "kind", "lead_id", "deleted_at")
		SELECT nextval('triage_revision'), gone.kind, gone.lead_id, now() FROM gone;
	RETURN NULL;
END
$$;
