-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "api_tokens" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT, ADD COLUMN "request_salt" BYTEA;
CREATE UNIQUE INDEX "api_tokens_request_key" ON "api_tokens" ("request_key");
