-- Finished matches that were drawn to be played again and compared. Nothing about persons.
CREATE TABLE "repetitions" (
  "job_id" UUID PRIMARY KEY,
  "drawn_at" TIMESTAMPTZ(3) NOT NULL,
  "claimed_at" TIMESTAMPTZ(3),
  "runner" TEXT NOT NULL DEFAULT '',
  "tries" INTEGER NOT NULL DEFAULT 0,
  "outcome" TEXT CHECK ("outcome" IN ('equal', 'different', 'not_compared')),
  "hand" INTEGER NOT NULL DEFAULT 0,
  "act" INTEGER NOT NULL DEFAULT 0,
  "by_limit" BOOLEAN NOT NULL DEFAULT false,
  "cause" TEXT NOT NULL DEFAULT '',
  "ended_at" TIMESTAMPTZ(3)
);
CREATE INDEX "repetitions_pending" ON "repetitions" ("drawn_at") WHERE "outcome" IS NULL;
CREATE INDEX "repetitions_drawn_at" ON "repetitions" ("drawn_at");
