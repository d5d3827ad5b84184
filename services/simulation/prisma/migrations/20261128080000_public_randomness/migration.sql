-- Lists of seeds that are committed to before the uploads which they serve (docs/fairness.md). The secret determines the seeds.
CREATE TABLE "seed_lists" (
  "number" INTEGER PRIMARY KEY,
  "secret" BYTEA NOT NULL,
  -- 256 hashes of the Merkle tree.
  "nodes" BYTEA NOT NULL,
  "commitment_number" BIGINT NOT NULL REFERENCES "commitments" ("number") ON DELETE RESTRICT
);
-- What a plan takes of a list: list, first, count. Hashed with the record; null in others.
ALTER TABLE "commitments" ADD COLUMN "seeds" JSONB;
CREATE INDEX "commitments_seeds" ON "commitments" ("number") WHERE "seeds" IS NOT NULL;
-- The round of a beacon that a plan waits for: chain, round and, once it is known, signature.
ALTER TABLE "plans" ADD COLUMN "beacon" JSONB;
CREATE INDEX "plans_awaited" ON "plans" ("id") WHERE NOT "beacon" ? 'signature';
-- Null: the seed was drawn alone.
ALTER TABLE "deal_sets" ADD COLUMN "seed_list" INTEGER, ADD COLUMN "seed_number" INTEGER, ADD COLUMN "beacon" JSONB;
ALTER TABLE "job_seats" ADD COLUMN "nonce" TEXT NOT NULL DEFAULT '';
