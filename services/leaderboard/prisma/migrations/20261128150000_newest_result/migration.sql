-- When a score was last added to the entry. The earlier release inserts without it, and does not move it.
ALTER TABLE "entries" ADD COLUMN "result_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "entries" e SET "result_at" = greatest(e."created_at", (
  SELECT max(j."applied_at") FROM "applied_deltas" d JOIN "applied_jobs" j USING ("job_id") WHERE d."entry_id" = e."id"
));
CREATE INDEX "entries_tag_result_at_idx" ON "entries" ("tag", "result_at");
DROP INDEX "entries_tag_created_at_idx";
