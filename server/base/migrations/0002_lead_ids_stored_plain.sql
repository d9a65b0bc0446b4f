-- Compressing 75 000 ids takes longer than writing them, and every export waits for it before its first byte.
ALTER TABLE "exports" ALTER COLUMN "lead_ids" SET STORAGE EXTERNAL;
