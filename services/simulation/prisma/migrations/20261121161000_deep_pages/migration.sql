-- Pages deep in the list of all jobs are found by this index alone: what is skipped is not read.
DROP INDEX "jobs_job_number_key";
CREATE UNIQUE INDEX "jobs_job_number_key" ON "jobs" ("job_number") INCLUDE ("state");
