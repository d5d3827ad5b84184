-- migration 20261121100000_init
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
-- migration 20261121103000_batch_holds
ALTER TABLE "batches" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;
-- migration 20261121112000_settings
-- One row: how the event is run.
CREATE TABLE "settings" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "banner" TEXT NOT NULL DEFAULT '',
  "frozen" BOOLEAN NOT NULL DEFAULT false,
  "tournament_start" TIMESTAMPTZ(3) NOT NULL DEFAULT '2025-07-12 00:00:00-07',
  "tournament_end" TIMESTAMPTZ(3) NOT NULL DEFAULT '2025-07-21 23:59:59-07',
  "max_test_runs" INTEGER,
  "version" INTEGER NOT NULL DEFAULT 1,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_by" UUID,
  CONSTRAINT "settings_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "settings_one_row" CHECK ("id" = 1)
);
INSERT INTO "settings" DEFAULT VALUES;
-- migration 20261121120000_counts
-- Totals of the lists by kind are counted from this index alone.
CREATE INDEX "jobs_kind_state_idx" ON "jobs" ("kind", "state");
-- migration 20261121123000_backlog
-- How long runners took lately is read from the newest of these alone.
CREATE INDEX "attempts_finished" ON "attempts" ("ended_at") WHERE "outcome" = 'FINISHED';
-- What the dealer has done since it was started, as it says itself.
ALTER TABLE "runners" ADD COLUMN "totals" JSONB;
-- migration 20261121124500_quotas
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
-- migration 20261121161000_deep_pages
-- Pages deep in the list of all jobs are found by this index alone: what is skipped is not read.
DROP INDEX "jobs_job_number_key";
CREATE UNIQUE INDEX "jobs_job_number_key" ON "jobs" ("job_number") INCLUDE ("state");
-- migration 20261122070000_commitment_chain
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
-- migration 20261122070000_home_board_and_batch_numbers
-- The tag of the leaderboard on the home page.
ALTER TABLE "settings" ADD COLUMN "home_board" TEXT NOT NULL DEFAULT '2025';

-- The banner of the development phase. Settings that were never saved get it; what an admin saved stays, an empty banner too.
ALTER TABLE "settings" ALTER COLUMN "banner"
  SET DEFAULT 'This test phase is the development phase. The official start is in July 2025.';
UPDATE "settings" SET "banner" = DEFAULT WHERE "version" = 1 AND "updated_by" IS NULL AND "banner" = '';

-- The number that a batch is shown with: batch_number of its metadata, else its serial number.
ALTER TABLE "batches" ADD COLUMN "shown_number" INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE WHEN "metadata" ->> 'batch_number' ~ '^[1-9][0-9]{0,8}$' THEN ("metadata" ->> 'batch_number')::INTEGER
  ELSE "batch_number" END) STORED;
-- migration 20261122070000_seat_faults
ALTER TABLE "job_seats" ADD COLUMN "faults" JSONB;
ALTER TABLE "jobs" ADD COLUMN "no_contest" BOOLEAN NOT NULL DEFAULT false;

-- Earlier releases put what bots said of themselves into the message of a match that was given up; everybody reads that.
UPDATE "jobs" SET "error_message" = regexp_replace("error_message", ' Last seen: .*$', '')
WHERE "error_message" LIKE 'The match was lost three times while its bots were running: %Last seen: %';
-- migration 20261122073000_unfetched_seats
-- How often a seat's packages could not be brought to a runner, and why the last time.
ALTER TABLE "job_seats" ADD COLUMN "unfetched_tries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "job_seats" ADD COLUMN "unfetched_cause" TEXT NOT NULL DEFAULT '';
-- migration 20261122151000_frozen_at
-- The time since which the event is frozen, for pages that say why uploads are refused.
ALTER TABLE "settings" ADD COLUMN "frozen_at" TIMESTAMPTZ(3);
UPDATE "settings" SET "frozen_at" = "updated_at" WHERE "frozen";
-- migration 20261122181000_stacks
ALTER TABLE jobs ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset'));
-- migration 20261122183000_duplicate_play
ALTER TABLE jobs ADD COLUMN rotation integer CHECK (rotation BETWEEN 1 AND 6);
ALTER TABLE batches
  ADD COLUMN mode text NOT NULL DEFAULT 'classic' CHECK (mode IN ('classic', 'duplicate')),
  ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset')),
  ADD COLUMN design text NOT NULL DEFAULT 'all' CHECK (design IN ('all', 'balanced')),
  ADD COLUMN hand_budget bigint CHECK (hand_budget > 0),
  ADD COLUMN tables bytea;
-- migration 20261122185000_stop_rules
ALTER TABLE batches ADD COLUMN stop_rule jsonb, ADD COLUMN stopped_at timestamptz(3);
-- migration 20261123013000_trace_context
-- W3C traceparent of the request that created the job or batch.
ALTER TABLE "jobs" ADD COLUMN "trace_context" TEXT NOT NULL DEFAULT '';
ALTER TABLE "batches" ADD COLUMN "trace_context" TEXT NOT NULL DEFAULT '';
