CREATE TABLE "hand_indexes" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "highlights" JSONB NOT NULL,
    "score" BIGINT NOT NULL,
    "best_nets" INTEGER[],
    "worst_nets" INTEGER[],

    CONSTRAINT "hand_indexes_pkey" PRIMARY KEY ("job_id")
);

-- The columns come compressed.
ALTER TABLE "hand_indexes" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

ALTER TABLE "hand_indexes" ADD CONSTRAINT "hand_indexes_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
