-- What a record is of (docs/fairness.md). Not hashed: records keep their bytes.
ALTER TABLE "commitments" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'match';

-- Plans of batches, deal sets and single matches by the id of the batch, the deal set or the match.
CREATE TABLE "plans" (
  "id" UUID PRIMARY KEY,
  "text" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "commitment_number" BIGINT NOT NULL REFERENCES "commitments" ("number") ON DELETE RESTRICT
);
-- Names behind the salted hashes of a plan. They are deleted with the account.
CREATE TABLE "plan_names" (
  "plan_id" UUID NOT NULL REFERENCES "plans" ("id") ON DELETE CASCADE,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "salt" TEXT NOT NULL,
  PRIMARY KEY ("plan_id", "user_id")
);
CREATE INDEX "plan_names_user_id" ON "plan_names" ("user_id");
ALTER TABLE "batches" ADD COLUMN "promised_public" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "jobs" ADD COLUMN "plan_hash" TEXT NOT NULL DEFAULT '';
-- Null: not drawn yet, because the record of the plan is not written.
ALTER TABLE "deal_sets" ALTER COLUMN "seed" DROP NOT NULL;

-- What remains of deleted matches. Nothing about persons.
CREATE TABLE "deleted_matches" (
  "job_hash" TEXT PRIMARY KEY,
  "batch_id" UUID,
  "game_number" INTEGER,
  "deal_set_id" UUID,
  "rotation" INTEGER,
  "commitment" TEXT NOT NULL,
  "commitment_number" BIGINT,
  "played" BOOLEAN NOT NULL,
  "cause" TEXT NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "deleted_matches_batch_id" ON "deleted_matches" ("batch_id");
CREATE INDEX "deleted_matches_deal_set_id" ON "deleted_matches" ("deal_set_id");

-- One row: the result of the last check of the chain.
CREATE TABLE "chain_checks" (
  "id" INTEGER PRIMARY KEY DEFAULT 1 CHECK ("id" = 1),
  "checked_at" TIMESTAMPTZ(3) NOT NULL,
  "verified_number" BIGINT NOT NULL DEFAULT 0,
  "verified_hash" TEXT NOT NULL DEFAULT '',
  "verified_at" TIMESTAMPTZ(3),
  "problem" TEXT NOT NULL DEFAULT ''
);
