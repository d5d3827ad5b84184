-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "entries" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "entries_request_key" ON "entries" ("request_key");
