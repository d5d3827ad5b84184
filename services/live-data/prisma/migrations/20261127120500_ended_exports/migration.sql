-- Number of matches of a failed or dropped export, whose `job_ids` are empty. 0: it has not ended, or an earlier release ended it.
ALTER TABLE "exports" ADD COLUMN "matches" INTEGER NOT NULL DEFAULT 0;
