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
