CREATE TABLE "entries" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "score_cents" BIGINT NOT NULL,
  "tag" TEXT NOT NULL,
  "applied_jobs" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "entries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "entries_score_cents_id_idx" ON "entries" ("score_cents" DESC, "id");
CREATE INDEX "entries_tag_score_cents_id_idx" ON "entries" ("tag", "score_cents" DESC, "id");
CREATE INDEX "entries_user_id_score_cents_id_idx" ON "entries" ("user_id", "score_cents" DESC, "id");
CREATE UNIQUE INDEX "entries_2025_user_id_key" ON "entries" ("user_id") WHERE "tag" = '2025';

CREATE TABLE "applied_jobs" (
  "job_id" UUID NOT NULL,
  "applied_by" UUID NOT NULL,
  "applied_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "applied_jobs_pkey" PRIMARY KEY ("job_id")
);

CREATE TABLE "applied_deltas" (
  "job_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "delta_cents" BIGINT NOT NULL,
  "entry_id" UUID,
  CONSTRAINT "applied_deltas_pkey" PRIMARY KEY ("job_id", "user_id"),
  CONSTRAINT "applied_deltas_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "applied_jobs" ("job_id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "applied_deltas_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "applied_deltas_entry_id_idx" ON "applied_deltas" ("entry_id");

CREATE TABLE "unsettled_holds" (
  "job_id" UUID NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "unsettled_holds_pkey" PRIMARY KEY ("job_id")
);

CREATE TABLE "deleted_users" (
  "user_id" UUID NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "deleted_users_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "outbox" (
  "id" BIGSERIAL NOT NULL,
  "message_id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
