ALTER TABLE "seat_reports" ADD COLUMN "details" JSONB;

-- Earlier releases put what bots said of themselves into the reason of a match that was given up; everybody reads that.
UPDATE "matches" SET "end_reason" = regexp_replace("end_reason", ' Last seen: .*$', '')
WHERE "end_reason" LIKE 'The match was lost three times while its bots were running: %Last seen: %';
