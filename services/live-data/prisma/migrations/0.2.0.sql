-- migration 20251121090000_initial
CREATE TABLE "matches" (
    "job_id" UUID NOT NULL,
    "owner_id" UUID,
    "batch_id" UUID,
    "batch_number" INTEGER NOT NULL,
    "game_number" INTEGER NOT NULL,
    "player_ids" UUID[],
    "num_rounds" INTEGER NOT NULL,
    "big_blind" INTEGER NOT NULL,
    "blind_multiplier" TEXT NOT NULL,
    "blind_interval" INTEGER NOT NULL,
    "starting_stack" INTEGER NOT NULL,
    "rules_version" INTEGER NOT NULL,
    "profile" TEXT NOT NULL,
    "seed" BYTEA NOT NULL,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'Pending',
    "current_attempt" INTEGER NOT NULL DEFAULT 0,
    "accepted_attempt" INTEGER,
    "first_hand_at" TIMESTAMPTZ(3),
    "hands" INTEGER NOT NULL DEFAULT 0,
    "end_reason" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "matches_pkey" PRIMARY KEY ("job_id")
);

CREATE INDEX "matches_batch" ON "matches"("batch_id");

-- The two lists, newest first, and the few matches that run. Partial indexes are beyond Prisma's schema language.
CREATE INDEX "matches_listed" ON "matches"("first_hand_at" DESC, "job_id" DESC) WHERE "first_hand_at" IS NOT NULL;
CREATE INDEX "matches_listed_public" ON "matches"("first_hand_at" DESC, "job_id" DESC)
    WHERE "first_hand_at" IS NOT NULL AND "is_public";
CREATE INDEX "matches_running" ON "matches"("first_hand_at" DESC, "job_id" DESC) WHERE "status" = 'Running';

CREATE TABLE "attempts" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "hands" INTEGER NOT NULL DEFAULT 0,
    "stacks" INTEGER[],
    "big_blind_seat" INTEGER,
    "digest" BYTEA NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("job_id", "attempt")
) WITH (fillfactor = 70);

CREATE TABLE "chunks" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "first_hand" INTEGER NOT NULL,
    "hands" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "chunks_pkey" PRIMARY KEY ("job_id", "attempt", "first_hand")
);

CREATE TABLE "series" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "series_pkey" PRIMARY KEY ("job_id")
);

CREATE TABLE "seat_reports" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seat" INTEGER NOT NULL,
    "log" BYTEA NOT NULL,
    "verdict" TEXT NOT NULL,
    "cpu_ms" BIGINT NOT NULL,
    "peak_kib" BIGINT NOT NULL,
    "faults" INTEGER NOT NULL,

    CONSTRAINT "seat_reports_pkey" PRIMARY KEY ("job_id", "attempt", "seat")
);

-- These come compressed: PostgreSQL need not try again.
ALTER TABLE "chunks" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
ALTER TABLE "series" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
ALTER TABLE "seat_reports" ALTER COLUMN "log" SET STORAGE EXTERNAL;

CREATE TABLE "player_totals" (
    "user_id" UUID NOT NULL,
    "matches" INTEGER NOT NULL,
    "public_matches" INTEGER NOT NULL,

    CONSTRAINT "player_totals_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "match_totals" (
    "is_public" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "matches" INTEGER NOT NULL,
    "hands" BIGINT NOT NULL,

    CONSTRAINT "match_totals_pkey" PRIMARY KEY ("is_public", "status")
);

ALTER TABLE "attempts" ADD CONSTRAINT "attempts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_job_id_attempt_fkey" FOREIGN KEY ("job_id", "attempt") REFERENCES "attempts"("job_id", "attempt") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "series" ADD CONSTRAINT "series_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "seat_reports" ADD CONSTRAINT "seat_reports_job_id_attempt_fkey" FOREIGN KEY ("job_id", "attempt") REFERENCES "attempts"("job_id", "attempt") ON DELETE CASCADE ON UPDATE NO ACTION;
-- migration 20261121104000_batch_visibility
CREATE TABLE "batch_visibility" (
    "batch_id" UUID NOT NULL,
    "is_public" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_visibility_pkey" PRIMARY KEY ("batch_id")
);
-- migration 20261121110000_outbox
CREATE TABLE "outbox" (
  "id" BIGSERIAL NOT NULL,
  "message_id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
-- migration 20261121124500_match_players
-- Admins look for the matches of a player.
CREATE INDEX "matches_players" ON "matches" USING GIN ("player_ids");
-- migration 20261122070000_seat_details
ALTER TABLE "seat_reports" ADD COLUMN "details" JSONB;

-- Earlier releases put what bots said of themselves into the reason of a match that was given up; everybody reads that.
UPDATE "matches" SET "end_reason" = regexp_replace("end_reason", ' Last seen: .*$', '')
WHERE "end_reason" LIKE 'The match was lost three times while its bots were running: %Last seen: %';
-- migration 20261122150000_hand_index
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
-- migration 20261122181000_stacks
ALTER TABLE matches ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset'));
-- migration 20261122181500_play_counters
CREATE TABLE "play_counters" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "counts" BYTEA[],

    CONSTRAINT "play_counters_pkey" PRIMARY KEY ("job_id")
);

ALTER TABLE "play_counters" ADD CONSTRAINT "play_counters_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
-- migration 20261122182000_match_values
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
-- migration 20261122182500_match_sums
CREATE TABLE "match_sums" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "luck_version" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "match_sums_pkey" PRIMARY KEY ("job_id")
);

-- The column comes compressed.
ALTER TABLE "match_sums" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

ALTER TABLE "match_sums" ADD CONSTRAINT "match_sums_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matches"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
-- migration 20261122183000_deal_sets
ALTER TABLE matches ADD COLUMN deal_set_id uuid, ADD COLUMN rotation integer NOT NULL DEFAULT 0;
CREATE INDEX matches_deal_set_id_idx ON matches (deal_set_id);
-- migration 20261122183000_exports
CREATE TABLE "exports" (
    "id" UUID NOT NULL,
    "batch_id" UUID,
    "period_from" DATE,
    "period_to" DATE,
    "signature" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "problem" TEXT NOT NULL DEFAULT '',
    "job_ids" UUID[],
    "for_public" BOOLEAN NOT NULL,
    "created_by" UUID NOT NULL,
    "input" JSONB NOT NULL,
    "totals" JSONB NOT NULL DEFAULT '{}',
    "steps_done" INTEGER NOT NULL DEFAULT 0,
    "matches_done" INTEGER NOT NULL DEFAULT 0,
    "hands" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "export_files" (
    "export_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "method" INTEGER NOT NULL,
    "crc" BIGINT NOT NULL,
    "size" BIGINT NOT NULL,
    "stored_size" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "rows" INTEGER,

    CONSTRAINT "export_files_pkey" PRIMARY KEY ("export_id","path")
);

CREATE TABLE "export_parts" (
    "export_id" UUID NOT NULL,
    "start" BIGINT NOT NULL,
    "length" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "export_parts_pkey" PRIMARY KEY ("export_id","start")
);

-- The archive is compressed already.
ALTER TABLE "export_parts" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

CREATE INDEX "exports_jobs" ON "exports" USING GIN ("job_ids");
CREATE INDEX "exports_batch" ON "exports"("batch_id", "created_at");
CREATE UNIQUE INDEX "exports_current" ON "exports"("signature") WHERE "state" IN ('waiting', 'running', 'ready');

ALTER TABLE "export_files" ADD CONSTRAINT "export_files_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
-- migration 20261122185000_match_value_sums
ALTER TABLE "match_values" ADD COLUMN "sums" BIGINT[] NOT NULL DEFAULT ARRAY[]::BIGINT[];
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
-- When the rules of retention removed the hands of a match, and its logs and lost attempts. Null: kept.
ALTER TABLE "matches" ADD COLUMN "hands_removed_at" TIMESTAMPTZ(3), ADD COLUMN "logs_removed_at" TIMESTAMPTZ(3);

-- The matches of each rule, oldest first. A match leaves the index when the rule was applied to it. The user is the house bot's: only
-- test runs have it as a player.
CREATE INDEX "matches_removable_hands" ON "matches"("created_at") WHERE "hands_removed_at" IS NULL AND NOT "is_public" AND "batch_id" IS NULL
    AND "player_ids" @> ARRAY['00000000-0000-8000-8000-000000000001'::uuid];
CREATE INDEX "matches_removable_logs" ON "matches"("created_at") WHERE "logs_removed_at" IS NULL;

CREATE TABLE "retention_runs" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "keep_test_runs_days" INTEGER NOT NULL,
    "keep_logs_days" INTEGER NOT NULL,
    "test_runs" BIGINT NOT NULL DEFAULT 0,
    "log_matches" BIGINT NOT NULL DEFAULT 0,
    "hands" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "retention_runs_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "retention_runs_started_at_idx" ON "retention_runs"("started_at");
-- migration 20261125170000_archived_hands
-- When the chunks of the accepted attempt were moved to the archive. Null: they are in `chunks`.
ALTER TABLE "matches" ADD COLUMN "hands_archived_at" TIMESTAMPTZ(3);

-- The matches that can be archived, oldest first. A match leaves the index when it is archived.
CREATE INDEX "matches_archivable" ON "matches"("created_at", "job_id")
    WHERE "accepted_attempt" IS NOT NULL AND "hands_archived_at" IS NULL AND "hands_removed_at" IS NULL;

-- No foreign key: the row of a deleted match remains until its object is deleted.
CREATE TABLE "archived_hands" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "hands" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "archived_hands_pkey" PRIMARY KEY ("job_id")
);
CREATE INDEX "archived_hands_deleted" ON "archived_hands"("job_id") WHERE "deleted_at" IS NOT NULL;
-- migration 20261127120000_archive_deletions
-- When the object of a deleted match is deleted next. Null: at once.
ALTER TABLE "archived_hands" ADD COLUMN "delete_after" TIMESTAMPTZ(3);

DROP INDEX "archived_hands_deleted";
CREATE INDEX "archived_hands_to_delete" ON "archived_hands"(coalesce("delete_after", '-infinity'), "job_id")
    WHERE "deleted_at" IS NOT NULL;
-- migration 20261127120500_ended_exports
-- Number of matches of a failed or dropped export, whose `job_ids` are empty. 0: it has not ended, or an earlier release ended it.
ALTER TABLE "exports" ADD COLUMN "matches" INTEGER NOT NULL DEFAULT 0;
-- migration 20261127121000_unfinished_matches
-- The matches that are compared with simulation every hour.
CREATE INDEX "matches_unfinished" ON "matches"("job_id") WHERE "status" IN ('Pending', 'Running');
-- migration 20261127220000_next_button
-- The seat that gets the button in the next hand, from rules version 2 on.
ALTER TABLE "attempts" ADD COLUMN "next_button" INTEGER;
-- migration 20261127230000_address_of_exports
-- AlterTable
ALTER TABLE "exports" ADD COLUMN "created_from" TEXT NOT NULL DEFAULT '';
-- migration 20261128200000_ladder_matches
-- Matches of the ladder are in no list and in no sum. Their players reach them from the ladder.
ALTER TABLE "matches" ADD COLUMN "ladder" BOOLEAN NOT NULL DEFAULT false;
-- migration 20261129103000_sealed_matches
-- Matches of a stage whose results are revealed later: their players do not read them before they are published.
ALTER TABLE "matches" ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false;
