-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "jobs" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "jobs_request_key" ON "jobs" ("request_key");
ALTER TABLE "batches" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "batches_request_key" ON "batches" ("request_key");
