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
