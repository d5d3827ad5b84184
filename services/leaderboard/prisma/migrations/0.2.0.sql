-- migration 20260701000000_init
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
-- migration 20261121103000_batches
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
-- migration 20261122070000_newest_tag
CREATE INDEX "entries_tag_created_at_idx" ON "entries" ("tag", "created_at");
-- migration 20261123021500_parked_messages
-- Messages that a consumer could not handle: services/lib/runtime/src/parked-messages.ts.
CREATE TABLE "parked_messages" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "durable" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "message_id" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL DEFAULT '',
  "reason" TEXT NOT NULL,
  "deliveries" INTEGER NOT NULL,
  "published_at" TIMESTAMPTZ(3) NOT NULL,
  "parked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "replay_requested_at" TIMESTAMPTZ(3),
  CONSTRAINT "parked_messages_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "parked_messages_durable_message_id_key" ON "parked_messages" ("durable", "message_id");
-- migration 20261123052000_published_events
-- Events published within the last hour, to publish again if NATS loses its disk: services/lib/runtime/src/outbox.ts.
CREATE TABLE "published_events" (
  "message_id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL,
  "stream_created" TEXT NOT NULL,
  "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "published_events_pkey" PRIMARY KEY ("message_id")
);
CREATE INDEX "published_events_published_at_idx" ON "published_events" ("published_at");
-- migration 20261128150000_newest_result
-- When a score was last added to the entry. The earlier release inserts without it, and does not move it.
ALTER TABLE "entries" ADD COLUMN "result_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "entries" e SET "result_at" = greatest(e."created_at", (
  SELECT max(j."applied_at") FROM "applied_deltas" d JOIN "applied_jobs" j USING ("job_id") WHERE d."entry_id" = e."id"
));
CREATE INDEX "entries_tag_result_at_idx" ON "entries" ("tag", "result_at");
DROP INDEX "entries_tag_created_at_idx";
-- migration 20261128203000_request_keys
-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "entries" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "entries_request_key" ON "entries" ("request_key");
