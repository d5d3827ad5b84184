-- Submissions whose packages are prepared after the upload was answered.
ALTER TABLE "submissions" ADD COLUMN "state" TEXT NOT NULL DEFAULT 'ready';
ALTER TABLE "submissions" ADD COLUMN "step" TEXT NOT NULL DEFAULT '';
ALTER TABLE "submissions" ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';
ALTER TABLE "submissions" ADD COLUMN "prepare_after" TIMESTAMPTZ(3);
ALTER TABLE "submissions" ADD COLUMN "prepare_tries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "submissions" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
-- Also holds for replicas of the version before, which know no states.
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_final_is_ready" CHECK (NOT "final" OR "state" = 'ready');
CREATE INDEX "submissions_prepare_after_idx" ON "submissions" ("prepare_after") WHERE "state" = 'preparing';
