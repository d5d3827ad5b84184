-- A seed, and so a series of decks; every match that uses it plays the same cards.
CREATE TABLE "deal_sets" (
  "id" UUID NOT NULL,
  "seed" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "deal_sets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "batches" (
  "id" UUID NOT NULL,
  "batch_number" SERIAL NOT NULL,
  "owner_id" UUID NOT NULL,
  "user_ids" UUID[],
  "roster" JSONB NOT NULL,
  "state" TEXT NOT NULL,
  "paused" BOOLEAN NOT NULL DEFAULT false,
  "problem" TEXT NOT NULL DEFAULT '',
  "total_jobs" INTEGER NOT NULL,
  "generated_jobs" INTEGER NOT NULL DEFAULT 0,
  "num_rounds" INTEGER NOT NULL,
  "big_blind" INTEGER NOT NULL,
  "blind_multiplier" TEXT NOT NULL,
  "blind_interval" INTEGER NOT NULL,
  "work_after" TIMESTAMPTZ(3),
  "work_tries" INTEGER NOT NULL DEFAULT 0,
  "metadata" JSONB,
  "metadata_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "batches_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "batches_state_check" CHECK ("state" IN ('PREPARING', 'GENERATING', 'READY', 'CANCELLED', 'FAILED', 'DELETING'))
);
CREATE UNIQUE INDEX "batches_batch_number_key" ON "batches" ("batch_number");
CREATE INDEX "batches_work_after_idx" ON "batches" ("work_after");

CREATE TABLE "jobs" (
  "id" UUID NOT NULL,
  "job_number" BIGSERIAL NOT NULL,
  "kind" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "owner_id" UUID NOT NULL,
  "batch_id" UUID,
  "game_number" INTEGER,
  "holder_id" UUID NOT NULL,
  "deal_set_id" UUID NOT NULL,
  "num_rounds" INTEGER NOT NULL,
  "big_blind" INTEGER NOT NULL,
  "blind_multiplier" TEXT NOT NULL,
  "blind_interval" INTEGER NOT NULL,
  "starting_stack" INTEGER NOT NULL,
  "rules_version" INTEGER NOT NULL,
  "profile" TEXT NOT NULL,
  "limits" JSONB NOT NULL,
  "commitment" TEXT NOT NULL DEFAULT '',
  "queue_tag" DOUBLE PRECISION NOT NULL,
  "prepare_after" TIMESTAMPTZ(3),
  "prepare_tries" INTEGER NOT NULL DEFAULT 0,
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "runner" TEXT,
  "lease_expires_at" TIMESTAMPTZ(3),
  "seats_running" BOOLEAN NOT NULL DEFAULT false,
  "hands_done" INTEGER NOT NULL DEFAULT 0,
  "suspect_losses" INTEGER NOT NULL DEFAULT 0,
  "other_losses" INTEGER NOT NULL DEFAULT 0,
  "accepted_attempt" INTEGER,
  "digest" TEXT NOT NULL DEFAULT '',
  "hands_played" INTEGER NOT NULL DEFAULT 0,
  "ended_early" TEXT NOT NULL DEFAULT '',
  "error_message" TEXT NOT NULL DEFAULT '',
  "held" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "jobs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('TEST_RUN', 'MATCH', 'BATCH_MATCH')),
  CONSTRAINT "jobs_state_check" CHECK ("state" IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING', 'FINISHED', 'FAILED', 'DELETING')),
  CONSTRAINT "jobs_finished_check" CHECK (("state" = 'FINISHED') <= ("accepted_attempt" IS NOT NULL)),
  CONSTRAINT "jobs_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "jobs_deal_set_id_fkey" FOREIGN KEY ("deal_set_id") REFERENCES "deal_sets" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "jobs_job_number_key" ON "jobs" ("job_number");
-- A batch never has the same game twice, whatever crashes while its jobs are made.
CREATE UNIQUE INDEX "jobs_batch_id_game_number_key" ON "jobs" ("batch_id", "game_number");
CREATE INDEX "jobs_batch_id_state_idx" ON "jobs" ("batch_id", "state");
CREATE INDEX "jobs_owner_id_job_number_idx" ON "jobs" ("owner_id", "job_number");
CREATE INDEX "jobs_kind_job_number_idx" ON "jobs" ("kind", "job_number");
CREATE INDEX "jobs_state_job_number_idx" ON "jobs" ("state", "job_number");
CREATE INDEX "jobs_deal_set_id_idx" ON "jobs" ("deal_set_id");
-- The queue, and what runs: small whatever the table holds.
CREATE INDEX "jobs_queue" ON "jobs" ("kind", "queue_tag", "job_number") WHERE "state" = 'QUEUED';
CREATE INDEX "jobs_leases" ON "jobs" ("lease_expires_at") WHERE "state" = 'RUNNING';
CREATE INDEX "jobs_running_by_runner" ON "jobs" ("runner") WHERE "state" = 'RUNNING';
CREATE INDEX "jobs_preparing" ON "jobs" ("prepare_after") WHERE "state" = 'PREPARING';
CREATE INDEX "jobs_deleting" ON "jobs" ("id") WHERE "state" = 'DELETING';
CREATE INDEX "jobs_unfinished_by_owner" ON "jobs" ("owner_id", "kind") WHERE "state" IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING');

CREATE TABLE "job_seats" (
  "job_id" UUID NOT NULL,
  "seat" INTEGER NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "packages_hash" TEXT,
  "delta" BIGINT,
  CONSTRAINT "job_seats_pkey" PRIMARY KEY ("job_id", "seat"),
  CONSTRAINT "job_seats_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "job_seats_user_id_idx" ON "job_seats" ("user_id");

CREATE TABLE "attempts" (
  "job_id" UUID NOT NULL,
  "attempt" INTEGER NOT NULL,
  "runner" TEXT NOT NULL,
  "version" TEXT NOT NULL DEFAULT '',
  "outcome" TEXT NOT NULL DEFAULT 'RUNNING',
  "bot_suspect" BOOLEAN NOT NULL DEFAULT false,
  "cause" TEXT NOT NULL DEFAULT '',
  "usage" JSONB,
  "claimed_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "attempts_pkey" PRIMARY KEY ("job_id", "attempt"),
  CONSTRAINT "attempts_outcome_check" CHECK ("outcome" IN ('RUNNING', 'FINISHED', 'HANDED_BACK', 'LOST', 'CANCELLED')),
  CONSTRAINT "attempts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "runners" (
  "name" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'IDLE',
  "job_id" UUID,
  "version" TEXT NOT NULL DEFAULT '',
  "hands_per_second" INTEGER NOT NULL DEFAULT 0,
  "cordoned" BOOLEAN NOT NULL DEFAULT false,
  "last_seen" TIMESTAMPTZ(3),
  CONSTRAINT "runners_pkey" PRIMARY KEY ("name"),
  CONSTRAINT "runners_state_check" CHECK ("state" IN ('IDLE', 'ACQUIRED', 'ACTIVE'))
);

-- Virtual times of the queue: pass of each class (ALL: of the whole queue) and the tag served last in it.
CREATE TABLE "queue_classes" (
  "kind" TEXT NOT NULL,
  "pass" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "served_tag" DOUBLE PRECISION NOT NULL DEFAULT 0,
  CONSTRAINT "queue_classes_pkey" PRIMARY KEY ("kind")
);
INSERT INTO "queue_classes" ("kind") VALUES ('ALL'), ('TEST_RUN'), ('MATCH'), ('BATCH_MATCH');

CREATE TABLE "queue_owners" (
  "kind" TEXT NOT NULL,
  "owner_id" UUID NOT NULL,
  "tag" DOUBLE PRECISION NOT NULL,
  CONSTRAINT "queue_owners_pkey" PRIMARY KEY ("kind", "owner_id")
);

-- Pins that are being taken for a holder that does not exist yet; released when it never comes to be.
CREATE TABLE "pin_intents" (
  "holder_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "pin_intents_pkey" PRIMARY KEY ("holder_id")
);

CREATE TABLE "outbox" (
  "id" BIGSERIAL NOT NULL,
  "message_id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
