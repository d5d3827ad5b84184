-- Keys that sign heads of the chain and files (docs/fairness.md). The newest one signs.
CREATE TABLE "signing_keys" (
  "number" INTEGER PRIMARY KEY,
  "name" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "private_key" BYTEA,
  "change" TEXT NOT NULL DEFAULT '',
  "made_at" TIMESTAMPTZ(3) NOT NULL
);
