ALTER TABLE "job_seats" ADD COLUMN "faults" JSONB;
ALTER TABLE "jobs" ADD COLUMN "no_contest" BOOLEAN NOT NULL DEFAULT false;

-- Earlier releases put what bots said of themselves into the message of a match that was given up; everybody reads that.
UPDATE "jobs" SET "error_message" = regexp_replace("error_message", ' Last seen: .*$', '')
WHERE "error_message" LIKE 'The match was lost three times while its bots were running: %Last seen: %';
