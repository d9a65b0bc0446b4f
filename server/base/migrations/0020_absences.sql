-- contract: not used since 0.4.0
ALTER TABLE "lead_absences" DROP COLUMN "agreed";--> statement-breakpoint
DELETE FROM "settings" WHERE "name" = 'protection-absences' OR "name" LIKE 'purge-hold:%' OR "name" LIKE 'renewal-hold:%';
