-- How often a seat's packages could not be brought to a runner, and why the last time.
ALTER TABLE "job_seats" ADD COLUMN "unfetched_tries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "job_seats" ADD COLUMN "unfetched_cause" TEXT NOT NULL DEFAULT '';
