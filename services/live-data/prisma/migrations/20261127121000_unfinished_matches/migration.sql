-- The matches that are compared with simulation every hour.
CREATE INDEX "matches_unfinished" ON "matches"("job_id") WHERE "status" IN ('Pending', 'Running');
