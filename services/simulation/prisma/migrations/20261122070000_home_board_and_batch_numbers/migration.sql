-- The tag of the leaderboard on the home page.
ALTER TABLE "settings" ADD COLUMN "home_board" TEXT NOT NULL DEFAULT '2025';

-- The banner of the development phase. Settings that were never saved get it; what an admin saved stays, an empty banner too.
ALTER TABLE "settings" ALTER COLUMN "banner"
  SET DEFAULT 'This test phase is the development phase. The official start is in July 2025.';
UPDATE "settings" SET "banner" = DEFAULT WHERE "version" = 1 AND "updated_by" IS NULL AND "banner" = '';

-- The number that a batch is shown with: batch_number of its metadata, else its serial number.
ALTER TABLE "batches" ADD COLUMN "shown_number" INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE WHEN "metadata" ->> 'batch_number' ~ '^[1-9][0-9]{0,8}$' THEN ("metadata" ->> 'batch_number')::INTEGER
  ELSE "batch_number" END) STORED;
