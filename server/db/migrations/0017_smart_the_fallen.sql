ALTER TABLE "access_tokens" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "activity_seals" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "directory_groups" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "directory_members" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "directory_people" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "reading_hours" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "batches" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "jobs" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "second_factors" DROP COLUMN "transports";