CREATE TABLE "match_sums" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "luck_version" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "match_sums_pkey" PRIMARY KEY ("job_id")
);

-- The column comes compressed.
ALTER TABLE "match_sums" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

ALTER TABLE "match_sums" ADD CONSTRAINT "match_sums_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
