CREATE TABLE "play_counters" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "counts" BYTEA[],

    CONSTRAINT "play_counters_pkey" PRIMARY KEY ("job_id")
);

ALTER TABLE "play_counters" ADD CONSTRAINT "play_counters_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
