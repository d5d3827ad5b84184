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
