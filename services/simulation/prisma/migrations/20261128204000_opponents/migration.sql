-- Opponents of a test run; empty: another kind of job.
ALTER TABLE "jobs" ADD COLUMN "against" TEXT NOT NULL DEFAULT '';
UPDATE "jobs" SET "against" = 'house' WHERE "kind" = 'TEST_RUN';
