-- The last stage of a tournament with a ceremony, until all its places are revealed.
ALTER TABLE "batches" ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false;
