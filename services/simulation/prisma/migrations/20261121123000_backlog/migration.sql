-- How long runners took lately is read from the newest of these alone.
CREATE INDEX "attempts_finished" ON "attempts" ("ended_at") WHERE "outcome" = 'FINISHED';
-- What the dealer has done since it was started, as it says itself.
ALTER TABLE "runners" ADD COLUMN "totals" JSONB;
