-- contract: not used since 0.4.0
DROP TABLE "known_devices" CASCADE;--> statement-breakpoint
DELETE FROM "sign_in_attempts";--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "succeeded_at" bigint;--> statement-breakpoint
UPDATE "settings" SET "value" = "value" - 'proofAboveLeads' WHERE "name" = 'sign-in-rules';
