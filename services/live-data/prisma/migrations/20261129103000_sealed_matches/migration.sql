-- Matches of a stage whose results are revealed later: their players do not read them before they are published.
ALTER TABLE "matches" ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false;
