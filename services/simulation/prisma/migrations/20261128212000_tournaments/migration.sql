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
