ALTER TABLE "users" ADD COLUMN "link_hash" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "link_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "issuer" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "oid" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "recovery_codes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_link_hash_unique" UNIQUE("link_hash");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_subject" UNIQUE("issuer","subject");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_oid" UNIQUE("issuer","oid");--> statement-breakpoint
-- These three tables are emptied here, so that nothing stays in them that a user has removed, and dropped one release later.
UPDATE "users" SET "link_hash" = link."token_hash", "link_expires_at" = link."expires_at"
FROM (
	SELECT DISTINCT ON ("user_id") "user_id", "token_hash", "expires_at" FROM "invitations"
	WHERE "used_at" IS NULL AND "expires_at" > now() ORDER BY "user_id", "expires_at" DESC
) AS link
WHERE link."user_id" = "users"."id";--> statement-breakpoint
UPDATE "users" SET "recovery_codes" = unused."hashes"
FROM (
	SELECT "user_id", array_agg("code_hash") AS "hashes" FROM "recovery_codes" WHERE "used_at" IS NULL GROUP BY "user_id"
) AS unused
WHERE unused."user_id" = "users"."id";--> statement-breakpoint
-- Of several providers the one used last. Entra ID's oid is a GUID beside its sub, which is none; elsewhere a sub may be one.
UPDATE "users" SET "issuer" = account."issuer", "subject" = account."subject", "oid" = account."oid"
FROM (
	SELECT DISTINCT ON ("user_id") "user_id", "issuer",
		(array_agg("subject" ORDER BY "subject" ~* '^[0-9a-f-]{36}$', "last_used_at" DESC))[1] AS "subject",
		CASE WHEN count(*) > 1 THEN
			(array_agg("subject" ORDER BY "last_used_at" DESC) FILTER (WHERE "subject" ~* '^[0-9a-f-]{36}$'))[1]
		END AS "oid"
	FROM "identities" GROUP BY "user_id", "issuer" ORDER BY "user_id", max("last_used_at") DESC
) AS account
WHERE account."user_id" = "users"."id";--> statement-breakpoint
TRUNCATE "invitations", "identities", "recovery_codes";
