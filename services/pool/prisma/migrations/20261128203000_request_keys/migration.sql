-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "scaling_jobs" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "scaling_jobs_request_key" ON "scaling_jobs" ("request_key");
