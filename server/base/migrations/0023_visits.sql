-- "list_visits", "lead_absences" and "mentions" are not used since 0.4.0 and go one release later. Visits are preferences.
INSERT INTO "preferences" ("user_id", "name", "value")
	SELECT "user_id", 'visit:' || "list", jsonb_build_object(
		'lastSeenAt', floor(extract(epoch FROM "last_seen_at") * 1000),
		'previousSeenAt', floor(extract(epoch FROM "previous_seen_at") * 1000))
	FROM "list_visits" ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- Since when what was added to is missing is a setting of each kind.
INSERT INTO "settings" ("name", "value", "updated_at")
	SELECT 'absences:' || "kind", jsonb_build_object(
		'checkedAt', COALESCE(min("checked"."value"::text)::numeric, floor(extract(epoch FROM now()) * 1000)),
		'missing', jsonb_agg(jsonb_build_array("lead_id", floor(extract(epoch FROM "missing_since") * 1000)))), now()
	FROM "lead_absences" LEFT JOIN "settings" AS "checked" ON "checked"."name" = 'absences-checked:' || "kind"
	GROUP BY "kind" ON CONFLICT DO NOTHING;--> statement-breakpoint
DELETE FROM "settings" WHERE "name" LIKE 'absences-checked:%';
--> statement-breakpoint
-- A note has the users whom it names until they have seen it.
ALTER TABLE "notes" ADD COLUMN "unseen_by" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "notes" SET "unseen_by" = "unseen"."users" FROM (
	SELECT "note_id", array_agg("user_id") AS "users" FROM "mentions" WHERE "seen_at" IS NULL GROUP BY "note_id"
) AS "unseen" WHERE "unseen"."note_id" = "notes"."id";--> statement-breakpoint
CREATE INDEX "notes_unseen_by" ON "notes" USING gin ("unseen_by");
