CREATE TABLE "match_values" (
    "job_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "match_values_pkey" PRIMARY KEY ("job_id", "version")
);

-- The values come compressed.
ALTER TABLE "match_values" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

ALTER TABLE "match_values" ADD CONSTRAINT "match_values_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
