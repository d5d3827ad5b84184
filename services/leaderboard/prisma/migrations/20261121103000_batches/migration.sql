CREATE UNIQUE INDEX "entries_llm_batch_user_id_key" ON "entries" ("user_id") WHERE "tag" = 'llm-batch';

CREATE TABLE "applied_batch_jobs" (
  "job_id" UUID NOT NULL,
  "batch_id" UUID NOT NULL,
  "game_number" INTEGER NOT NULL,
  CONSTRAINT "applied_batch_jobs_pkey" PRIMARY KEY ("job_id")
);
CREATE INDEX "applied_batch_jobs_batch_id_game_number_idx" ON "applied_batch_jobs" ("batch_id", "game_number");

CREATE TABLE "batch_deltas" (
  "id" BIGSERIAL NOT NULL,
  "batch_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "delta_cents" BIGINT NOT NULL,
  "jobs" INTEGER NOT NULL,
  "entry_id" UUID,
  CONSTRAINT "batch_deltas_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "batch_deltas_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "batch_deltas_batch_id_entry_id_key" ON "batch_deltas" ("batch_id", "entry_id");
CREATE INDEX "batch_deltas_entry_id_idx" ON "batch_deltas" ("entry_id");

CREATE TABLE "unsettled_batch_holds" (
  "batch_id" UUID NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "unsettled_batch_holds_pkey" PRIMARY KEY ("batch_id")
);
