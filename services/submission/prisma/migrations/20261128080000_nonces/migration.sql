-- What an upload adds to the randomness of its matches (docs/fairness.md): 64 hex digits; null: nothing.
ALTER TABLE "submissions" ADD COLUMN "nonce" TEXT;
CREATE UNIQUE INDEX "submissions_nonce" ON "submissions" ("nonce");
