-- Matches of the ladder are in no list and in no sum. Their players reach them from the ladder.
ALTER TABLE "matches" ADD COLUMN "ladder" BOOLEAN NOT NULL DEFAULT false;
