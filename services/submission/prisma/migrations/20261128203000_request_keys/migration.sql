-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "submissions" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "submissions_request_key" ON "submissions" ("request_key");
