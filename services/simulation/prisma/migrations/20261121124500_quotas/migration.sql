-- Quotas of the event; null: as the service is configured.
ALTER TABLE "settings" ADD COLUMN "max_test_runs_a_day" INTEGER;
ALTER TABLE "settings" ADD COLUMN "max_submissions" INTEGER;
ALTER TABLE "settings" ADD COLUMN "max_uploads_a_day" INTEGER;

-- What an admin has set for one user; null: as the event has it.
CREATE TABLE "user_quotas" (
  "user_id" UUID NOT NULL,
  "max_test_runs" INTEGER,
  "max_test_runs_a_day" INTEGER,
  "max_submissions" INTEGER,
  "max_uploads_a_day" INTEGER,
  "version" INTEGER NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_by" UUID NOT NULL,
  CONSTRAINT "user_quotas_pkey" PRIMARY KEY ("user_id")
);

-- Test runs of the last day, deleted ones too: what a quota a day counts.
CREATE TABLE "test_run_starts" (
  "job_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "test_run_starts_pkey" PRIMARY KEY ("job_id")
);
CREATE INDEX "test_run_starts_user_id_started_at_idx" ON "test_run_starts" ("user_id", "started_at");
CREATE INDEX "test_run_starts_started_at_idx" ON "test_run_starts" ("started_at");
INSERT INTO "test_run_starts" ("job_id", "user_id", "started_at")
  SELECT "id", "owner_id", "created_at" FROM "jobs"
  WHERE "kind" = 'TEST_RUN' AND "created_at" > CURRENT_TIMESTAMP - INTERVAL '1 day';
