-- contract: not used since 0.4.0
UPDATE "activity" SET "action" = 'opened' WHERE "action" IN ('lead-opened', 'contact-opened');--> statement-breakpoint
DELETE FROM "settings" WHERE "name" IN ('reading-limits', 'kept-key activity seals', 'kept-key card ids', 'work.standing', 'work.leave', 'standing-turn', 'work.topics', 'work.calendar');--> statement-breakpoint
DELETE FROM "preferences" WHERE "name" IN ('digest', 'week');--> statement-breakpoint
DELETE FROM "second_factors" WHERE "type" = 'passkey';--> statement-breakpoint
DELETE FROM "recovery_codes" WHERE "user_id" NOT IN (SELECT "user_id" FROM "second_factors" WHERE "confirmed_at" IS NOT NULL);--> statement-breakpoint
DELETE FROM "sessions" WHERE "method" = 'passkey';--> statement-breakpoint
DROP TABLE "access_tokens" CASCADE;--> statement-breakpoint
DROP TABLE "activity_seals" CASCADE;--> statement-breakpoint
DROP TABLE "directory_groups" CASCADE;--> statement-breakpoint
DROP TABLE "directory_members" CASCADE;--> statement-breakpoint
DROP TABLE "directory_people" CASCADE;--> statement-breakpoint
DROP TABLE "reading_hours" CASCADE;--> statement-breakpoint
DROP TABLE "batches" CASCADE;--> statement-breakpoint
DROP TABLE "jobs" CASCADE;--> statement-breakpoint
ALTER TABLE "second_factors" DROP CONSTRAINT "second_factors_type";--> statement-breakpoint
DROP INDEX "activity_seal";--> statement-breakpoint
ALTER TABLE "activity" DROP COLUMN "seal_id";--> statement-breakpoint
ALTER TABLE "second_factors" DROP COLUMN "type";--> statement-breakpoint
ALTER TABLE "second_factors" DROP COLUMN "transports";--> statement-breakpoint
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
