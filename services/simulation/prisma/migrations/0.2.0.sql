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
-- migration 20261123060000_retention
-- After how many days live-data removes what nothing published depends on; 0: never.
ALTER TABLE "settings" ADD COLUMN "keep_test_runs_days" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "settings" ADD COLUMN "keep_logs_days" INTEGER NOT NULL DEFAULT 0;
-- migration 20261127120000_recovery
-- A sweeper that releases the pins of an intent marks it first: a creation that is still under way is then refused.
ALTER TABLE "pin_intents" ADD COLUMN "releasing" BOOLEAN NOT NULL DEFAULT false;

-- Since when resolving packages fails; null: the last try did not fail. The time limit of retries starts here.
ALTER TABLE "jobs" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
ALTER TABLE "batches" ADD COLUMN "failing_since" TIMESTAMPTZ(3);

-- Tombstones of deleted users: a job that is being created is refused.
CREATE TABLE "deleted_users" (
  "user_id" UUID NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "deleted_users_pkey" PRIMARY KEY ("user_id")
);
-- migration 20261127130000_unique_batch_numbers
-- One number, one batch. Of several batches with one number the newest keeps it, as /batches/{number} showed that one. Each other batch
-- gets its serial number, or the next free number if another batch is shown with that.
LOCK TABLE "batches" IN SHARE ROW EXCLUSIVE MODE;
DO $$
DECLARE
  other RECORD;
  free INTEGER;
BEGIN
  LOOP
    SELECT id, batch_number INTO other FROM (
      SELECT id, batch_number, row_number() OVER (PARTITION BY shown_number ORDER BY batch_number DESC) AS place
      FROM "batches" WHERE state <> 'DELETING') AS ranked
    WHERE place > 1 ORDER BY batch_number LIMIT 1;
    EXIT WHEN NOT FOUND;
    free := other.batch_number;
    WHILE EXISTS (SELECT FROM "batches" WHERE shown_number = free AND state <> 'DELETING') LOOP
      free := nextval(pg_get_serial_sequence('batches', 'batch_number'));
    END LOOP;
    UPDATE "batches" SET metadata_id = gen_random_uuid(), metadata = CASE WHEN free = batch_number THEN metadata - 'batch_number'
      ELSE coalesce(metadata, '{}') || jsonb_build_object('batch_number', free) END
    WHERE id = other.id;
  END LOOP;
END $$;
CREATE UNIQUE INDEX "batches_shown_number" ON "batches" ("shown_number") WHERE "state" <> 'DELETING';

-- Numbers that a batch had. They lead to the last batch that had them and still exists.
CREATE TABLE "former_batch_numbers" (
  "number" INTEGER NOT NULL,
  "batch_id" UUID NOT NULL REFERENCES "batches" ("id") ON DELETE CASCADE,
  "change" BIGSERIAL NOT NULL,
  PRIMARY KEY ("number", "batch_id")
);
CREATE INDEX "former_batch_numbers_batch_id" ON "former_batch_numbers" ("batch_id");
-- migration 20261127220000_rules_of_runners
-- The newest rules that a runner knows. Runners of earlier releases do not report it.
ALTER TABLE "runners" ADD COLUMN "rules_version" INTEGER NOT NULL DEFAULT 1;
-- migration 20261127230000_address_of_test_runs
-- AlterTable
ALTER TABLE "test_run_starts" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
-- migration 20261128020000_plans_deletions_checks
-- What a record is of (docs/fairness.md). Not hashed: records keep their bytes.
ALTER TABLE "commitments" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'match';

-- Plans of batches, deal sets and single matches by the id of the batch, the deal set or the match.
CREATE TABLE "plans" (
  "id" UUID PRIMARY KEY,
  "text" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "commitment_number" BIGINT NOT NULL REFERENCES "commitments" ("number") ON DELETE RESTRICT
);
-- Names behind the salted hashes of a plan. They are deleted with the account.
CREATE TABLE "plan_names" (
  "plan_id" UUID NOT NULL REFERENCES "plans" ("id") ON DELETE CASCADE,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "salt" TEXT NOT NULL,
  PRIMARY KEY ("plan_id", "user_id")
);
CREATE INDEX "plan_names_user_id" ON "plan_names" ("user_id");
ALTER TABLE "batches" ADD COLUMN "promised_public" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "jobs" ADD COLUMN "plan_hash" TEXT NOT NULL DEFAULT '';
-- Null: not drawn yet, because the record of the plan is not written.
ALTER TABLE "deal_sets" ALTER COLUMN "seed" DROP NOT NULL;

-- What remains of deleted matches. Nothing about persons.
CREATE TABLE "deleted_matches" (
  "job_hash" TEXT PRIMARY KEY,
  "batch_id" UUID,
  "game_number" INTEGER,
  "deal_set_id" UUID,
  "rotation" INTEGER,
  "commitment" TEXT NOT NULL,
  "commitment_number" BIGINT,
  "played" BOOLEAN NOT NULL,
  "cause" TEXT NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "deleted_matches_batch_id" ON "deleted_matches" ("batch_id");
CREATE INDEX "deleted_matches_deal_set_id" ON "deleted_matches" ("deal_set_id");

-- One row: the result of the last check of the chain.
CREATE TABLE "chain_checks" (
  "id" INTEGER PRIMARY KEY DEFAULT 1 CHECK ("id" = 1),
  "checked_at" TIMESTAMPTZ(3) NOT NULL,
  "verified_number" BIGINT NOT NULL DEFAULT 0,
  "verified_hash" TEXT NOT NULL DEFAULT '',
  "verified_at" TIMESTAMPTZ(3),
  "problem" TEXT NOT NULL DEFAULT ''
);
-- migration 20261128070000_signing_keys
-- Keys that sign heads of the chain and files (docs/fairness.md). The newest one signs.
CREATE TABLE "signing_keys" (
  "number" INTEGER PRIMARY KEY,
  "name" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "private_key" BYTEA,
  "change" TEXT NOT NULL DEFAULT '',
  "made_at" TIMESTAMPTZ(3) NOT NULL
);
-- migration 20261128080000_public_randomness
-- Lists of seeds that are committed to before the uploads which they serve (docs/fairness.md). The secret determines the seeds.
CREATE TABLE "seed_lists" (
  "number" INTEGER PRIMARY KEY,
  "secret" BYTEA NOT NULL,
  -- 256 hashes of the Merkle tree.
  "nodes" BYTEA NOT NULL,
  "commitment_number" BIGINT NOT NULL REFERENCES "commitments" ("number") ON DELETE RESTRICT
);
-- What a plan takes of a list: list, first, count. Hashed with the record; null in others.
ALTER TABLE "commitments" ADD COLUMN "seeds" JSONB;
CREATE INDEX "commitments_seeds" ON "commitments" ("number") WHERE "seeds" IS NOT NULL;
-- The round of a beacon that a plan waits for: chain, round and, once it is known, signature.
ALTER TABLE "plans" ADD COLUMN "beacon" JSONB;
CREATE INDEX "plans_awaited" ON "plans" ("id") WHERE NOT "beacon" ? 'signature';
-- Null: the seed was drawn alone.
ALTER TABLE "deal_sets" ADD COLUMN "seed_list" INTEGER, ADD COLUMN "seed_number" INTEGER, ADD COLUMN "beacon" JSONB;
ALTER TABLE "job_seats" ADD COLUMN "nonce" TEXT NOT NULL DEFAULT '';
-- migration 20261128080000_repetitions
-- Finished matches that were drawn to be played again and compared. Nothing about persons.
CREATE TABLE "repetitions" (
  "job_id" UUID PRIMARY KEY,
  "drawn_at" TIMESTAMPTZ(3) NOT NULL,
  "claimed_at" TIMESTAMPTZ(3),
  "runner" TEXT NOT NULL DEFAULT '',
  "tries" INTEGER NOT NULL DEFAULT 0,
  "outcome" TEXT CHECK ("outcome" IN ('equal', 'different', 'not_compared')),
  "hand" INTEGER NOT NULL DEFAULT 0,
  "act" INTEGER NOT NULL DEFAULT 0,
  "by_limit" BOOLEAN NOT NULL DEFAULT false,
  "cause" TEXT NOT NULL DEFAULT '',
  "ended_at" TIMESTAMPTZ(3)
);
CREATE INDEX "repetitions_pending" ON "repetitions" ("drawn_at") WHERE "outcome" IS NULL;
CREATE INDEX "repetitions_drawn_at" ON "repetitions" ("drawn_at");
-- migration 20261128150000_newest_board
-- '' is the board with the newest result. '2025' was the default, which nobody had to choose; a chosen board stays.
ALTER TABLE "settings" ALTER COLUMN "home_board" SET DEFAULT '';
UPDATE "settings" SET "home_board" = '' WHERE "home_board" = '2025';
-- migration 20261128150000_tested_uploads
-- AlterTable
ALTER TABLE "test_run_starts" ADD COLUMN "submission_id" UUID, ADD COLUMN "uploaded_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "test_run_starts_submission_id" ON "test_run_starts"("submission_id");

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN "progress_at" TIMESTAMPTZ(3), ADD COLUMN "public" BOOLEAN NOT NULL DEFAULT false;
-- migration 20261128200000_ladder
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_kind_check",
  ADD CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('TEST_RUN', 'MATCH', 'BATCH_MATCH', 'LADDER'));

-- Lists leave out the many jobs of the ladder.
CREATE INDEX "jobs_listed" ON "jobs" ("state", "job_number") WHERE "kind" <> 'LADDER';

ALTER TABLE "settings" ADD COLUMN "ladder" BOOLEAN,
  ADD COLUMN "ladder_hands" INTEGER NOT NULL DEFAULT 50,
  ADD COLUMN "ladder_hands_a_day" INTEGER NOT NULL DEFAULT 2000000,
  ADD COLUMN "keep_ladder_days" INTEGER NOT NULL DEFAULT 7;

CREATE TABLE "ladder_versions" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "submission_id" UUID,
  "predecessor" UUID,
  "house" BOOLEAN NOT NULL DEFAULT false,
  "active" BOOLEAN NOT NULL DEFAULT true,
  "sets" INTEGER NOT NULL DEFAULT 0,
  "last_set_at" TIMESTAMPTZ(3),
  "failing_sets" INTEGER NOT NULL DEFAULT 0,
  "paused_at" TIMESTAMPTZ(3),
  "pause_reason" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "ladder_versions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "ladder_versions_user_id_number_key" ON "ladder_versions"("user_id", "number");
CREATE UNIQUE INDEX "ladder_versions_user_id_bot_hash_key" ON "ladder_versions"("user_id", "bot_hash");

CREATE TABLE "ladder_sets" (
  "id" UUID NOT NULL,
  "number" BIGINT,
  "state" TEXT NOT NULL DEFAULT 'playing',
  "num_rounds" INTEGER NOT NULL,
  "hands" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "ladder_sets_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ladder_sets_state_check" CHECK ("state" IN ('playing', 'finished', 'void')),
  CONSTRAINT "ladder_sets_number_check" CHECK (("number" IS NOT NULL) = ("state" = 'finished'))
);
CREATE UNIQUE INDEX "ladder_sets_number_key" ON "ladder_sets"("number");
CREATE INDEX "ladder_sets_created_at_idx" ON "ladder_sets"("created_at");
CREATE INDEX "ladder_sets_ended_at_idx" ON "ladder_sets"("ended_at");
CREATE INDEX "ladder_sets_playing" ON "ladder_sets"("created_at") WHERE "state" = 'playing';

CREATE TABLE "ladder_seats" (
  "set_id" UUID NOT NULL,
  "seat" INTEGER NOT NULL,
  "version_id" UUID NOT NULL,
  "number" BIGINT,
  "value" DOUBLE PRECISION,
  "bad_matches" INTEGER NOT NULL DEFAULT 0,
  "rating" DOUBLE PRECISION,
  "low" DOUBLE PRECISION,
  "high" DOUBLE PRECISION,
  CONSTRAINT "ladder_seats_pkey" PRIMARY KEY ("set_id", "seat"),
  CONSTRAINT "ladder_seats_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "ladder_sets"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "ladder_seats_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "ladder_versions"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE INDEX "ladder_seats_version_id_number_idx" ON "ladder_seats"("version_id", "number");

CREATE TABLE "ladder_opt_outs" (
  "user_id" UUID NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "ladder_opt_outs_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "ladder_states" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "number" BIGINT NOT NULL,
  "bytes" BYTEA NOT NULL,
  CONSTRAINT "ladder_states_pkey" PRIMARY KEY ("id")
);
-- migration 20261128203000_request_keys
-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "jobs" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "jobs_request_key" ON "jobs" ("request_key");
ALTER TABLE "batches" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "batches_request_key" ON "batches" ("request_key");
-- migration 20261128204000_opponents
-- Opponents of a test run; empty: another kind of job.
ALTER TABLE "jobs" ADD COLUMN "against" TEXT NOT NULL DEFAULT '';
UPDATE "jobs" SET "against" = 'house' WHERE "kind" = 'TEST_RUN';
-- migration 20261128210000_challenges
CREATE TABLE "challenges" (
  "id" UUID NOT NULL,
  "format" TEXT NOT NULL,
  "num_rounds" INTEGER NOT NULL,
  "fill" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "reason" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "published_at" TIMESTAMPTZ(3),
  "request_key" TEXT,
  "request_digest" TEXT,
  CONSTRAINT "challenges_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "challenges_state_check" CHECK ("state" IN ('waiting', 'made', 'declined', 'expired', 'ended'))
);
CREATE UNIQUE INDEX "challenges_request_key" ON "challenges"("request_key");
-- What the background work looks for.
CREATE INDEX "challenges_open" ON "challenges"("created_at") WHERE "state" = 'waiting';
CREATE INDEX "challenges_private" ON "challenges"("id") WHERE "state" = 'made' AND "published_at" IS NULL;

CREATE TABLE "challenge_players" (
  "challenge_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "place" INTEGER NOT NULL,
  "role" TEXT NOT NULL,
  "answer" TEXT NOT NULL,
  "publishes" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "challenge_players_pkey" PRIMARY KEY ("challenge_id", "user_id"),
  CONSTRAINT "challenge_players_role_check" CHECK ("role" IN ('challenger', 'opponent', 'fill')),
  CONSTRAINT "challenge_players_answer_check" CHECK ("answer" IN ('waiting', 'accepted', 'declined')),
  CONSTRAINT "challenge_players_challenge_id_fkey" FOREIGN KEY ("challenge_id") REFERENCES "challenges"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "challenge_players_user_id_created_at_idx" ON "challenge_players"("user_id", "created_at");

CREATE TABLE "challenge_choices" (
  "user_id" UUID NOT NULL,
  "choice" TEXT NOT NULL,
  CONSTRAINT "challenge_choices_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "challenge_choices_choice_check" CHECK ("choice" IN ('ask', 'never'))
);

ALTER TABLE "jobs" ADD COLUMN "challenge_id" UUID;
CREATE INDEX "jobs_challenge_id" ON "jobs"("challenge_id") WHERE "challenge_id" IS NOT NULL;

ALTER TABLE "settings" ADD COLUMN "max_challenges_a_day" INTEGER;
ALTER TABLE "user_quotas" ADD COLUMN "max_challenges_a_day" INTEGER;
-- migration 20261128211000_trials
-- Rotations 7 to 12: those of the other version of a trial.
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_kind_check", DROP CONSTRAINT "jobs_rotation_check",
  ADD CONSTRAINT "jobs_kind_check" CHECK ("kind" IN ('TEST_RUN', 'MATCH', 'BATCH_MATCH', 'LADDER', 'TRIAL')),
  ADD CONSTRAINT "jobs_rotation_check" CHECK ("rotation" BETWEEN 1 AND 12);

ALTER TABLE "settings" ADD COLUMN "max_trial_hands_a_day" INTEGER;
ALTER TABLE "user_quotas" ADD COLUMN "max_trial_hands_a_day" INTEGER;

CREATE TABLE "trials" (
  "id" UUID NOT NULL,
  "owner_id" UUID NOT NULL,
  "a" UUID NOT NULL,
  "b" UUID NOT NULL,
  "field" TEXT NOT NULL,
  "alpha" DOUBLE PRECISION NOT NULL,
  "margin" DOUBLE PRECISION NOT NULL,
  "max_hands" INTEGER NOT NULL,
  "num_rounds" INTEGER NOT NULL,
  "seats" JSONB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'playing',
  "problem" TEXT NOT NULL DEFAULT '',
  "verdict" TEXT,
  "different" JSONB NOT NULL DEFAULT '[]',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "request_key" TEXT,
  "request_digest" TEXT,
  CONSTRAINT "trials_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "trials_state_check" CHECK ("state" IN ('playing', 'finished', 'cancelled', 'failed')),
  CONSTRAINT "trials_verdict_check" CHECK (("verdict" IS NOT NULL) = ("state" = 'finished')),
  CONSTRAINT "trials_ended_at_check" CHECK (("ended_at" IS NOT NULL) = ("state" <> 'playing'))
);
CREATE UNIQUE INDEX "trials_request_key" ON "trials"("request_key");
CREATE INDEX "trials_owner_id_created_at_idx" ON "trials"("owner_id", "created_at");
CREATE INDEX "trials_playing" ON "trials"("created_at") WHERE "state" = 'playing';

CREATE TABLE "trial_sets" (
  "id" UUID NOT NULL,
  "trial_id" UUID NOT NULL,
  "planned" INTEGER NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'playing',
  "number" INTEGER,
  "difference" DOUBLE PRECISION,
  "hands" INTEGER NOT NULL DEFAULT 0,
  "estimate" DOUBLE PRECISION,
  "low" DOUBLE PRECISION,
  "high" DOUBLE PRECISION,
  "deal_key" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "trial_sets_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "trial_sets_state_check" CHECK ("state" IN ('playing', 'finished', 'void')),
  CONSTRAINT "trial_sets_number_check" CHECK (("number" IS NOT NULL) = ("state" = 'finished')),
  CONSTRAINT "trial_sets_trial_id_fkey" FOREIGN KEY ("trial_id") REFERENCES "trials"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "trial_sets_trial_id_planned_key" ON "trial_sets"("trial_id", "planned");
CREATE UNIQUE INDEX "trial_sets_trial_id_number_key" ON "trial_sets"("trial_id", "number");
CREATE INDEX "trial_sets_ended_at_idx" ON "trial_sets"("ended_at");
-- migration 20261128212000_tournaments
CREATE TABLE "tournaments" (
  "id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "prize" TEXT NOT NULL DEFAULT '',
  "template" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL DEFAULT 'open',
  "problem" TEXT NOT NULL DEFAULT '',
  "entry_deadline" TIMESTAMPTZ(3) NOT NULL,
  "starts_at" TIMESTAMPTZ(3),
  "entry_list" UUID[] NOT NULL DEFAULT '{}',
  "ceremony" BOOLEAN NOT NULL DEFAULT false,
  "revealed" INTEGER NOT NULL DEFAULT 0,
  "pin_holder" UUID,
  "champion_id" UUID,
  "frozen_at" TIMESTAMPTZ(3),
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "work_after" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "created_by" UUID NOT NULL,
  "request_key" TEXT,
  "request_digest" TEXT,
  CONSTRAINT "tournaments_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "tournaments_state_check" CHECK ("state" IN ('open', 'frozen', 'running', 'paused', 'finished', 'cancelled'))
);
CREATE UNIQUE INDEX "tournaments_slug_key" ON "tournaments"("slug");
CREATE UNIQUE INDEX "tournaments_request_key" ON "tournaments"("request_key");
CREATE INDEX "tournaments_work_after_idx" ON "tournaments"("work_after");

CREATE TABLE "tournament_stages" (
  "tournament_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "spec" JSONB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'pending',
  "batch_id" UUID NOT NULL,
  "retries" INTEGER NOT NULL DEFAULT 0,
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "tournament_stages_pkey" PRIMARY KEY ("tournament_id", "number"),
  CONSTRAINT "tournament_stages_tournament_id_fkey" FOREIGN KEY ("tournament_id") REFERENCES "tournaments"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "tournament_stages_state_check" CHECK ("state" IN ('pending', 'running', 'finished'))
);
CREATE UNIQUE INDEX "tournament_stages_batch_id_key" ON "tournament_stages"("batch_id");

CREATE TABLE "tournament_entrants" (
  "tournament_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "packages_hash" TEXT,
  "nonce" TEXT NOT NULL,
  CONSTRAINT "tournament_entrants_pkey" PRIMARY KEY ("tournament_id", "user_id"),
  CONSTRAINT "tournament_entrants_tournament_id_fkey" FOREIGN KEY ("tournament_id") REFERENCES "tournaments"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE TABLE "tournament_results" (
  "tournament_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "user_id" UUID NOT NULL,
  "place" INTEGER NOT NULL,
  "rank" INTEGER NOT NULL,
  "delta" BIGINT NOT NULL,
  "matches" INTEGER NOT NULL,
  "adjusted" DOUBLE PRECISION,
  "low" DOUBLE PRECISION,
  "high" DOUBLE PRECISION,
  "advances" BOOLEAN NOT NULL,
  CONSTRAINT "tournament_results_pkey" PRIMARY KEY ("tournament_id", "number", "user_id"),
  CONSTRAINT "tournament_results_stage_fkey" FOREIGN KEY ("tournament_id", "number") REFERENCES "tournament_stages"("tournament_id", "number") ON DELETE CASCADE ON UPDATE NO ACTION
);

ALTER TABLE "batches" DROP CONSTRAINT "batches_design_check",
  ADD CONSTRAINT "batches_design_check" CHECK ("design" IN ('all', 'balanced', 'equal'));
-- migration 20261129103000_sealed_batches
-- The last stage of a tournament with a ceremony, until all its places are revealed.
ALTER TABLE "batches" ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false;
