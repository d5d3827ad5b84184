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
