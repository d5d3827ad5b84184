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
