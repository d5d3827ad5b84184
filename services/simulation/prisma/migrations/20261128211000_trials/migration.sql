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
