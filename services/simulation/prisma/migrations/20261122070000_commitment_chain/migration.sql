-- Every commitment of the platform, each record with the hash of the one before (docs/fairness.md).
CREATE TABLE "commitments" (
  "number" BIGINT NOT NULL,
  "job_hash" TEXT NOT NULL,
  "commitment" TEXT NOT NULL,
  "made_at" TIMESTAMPTZ(3) NOT NULL,
  "previous" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  CONSTRAINT "commitments_pkey" PRIMARY KEY ("number"),
  CONSTRAINT "commitments_number_check" CHECK ("number" > 0)
);
CREATE UNIQUE INDEX "commitments_job_hash_key" ON "commitments" ("job_hash");

CREATE FUNCTION "refuse_commitment_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'commitments are only ever appended';
END $$;
CREATE TRIGGER "commitments_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "commitments"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_commitment_change"();

ALTER TABLE "jobs" ADD COLUMN "commitment_number" BIGINT;
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_commitment_number_fkey"
  FOREIGN KEY ("commitment_number") REFERENCES "commitments" ("number") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Made before the chain, or by a replica of the version before: the sweeper appends their records.
CREATE INDEX "jobs_without_record" ON "jobs" ("job_number")
  WHERE "commitment_number" IS NULL AND "state" IN ('QUEUED', 'PAUSED');
