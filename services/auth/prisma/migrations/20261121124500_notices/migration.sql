-- Which kinds of notices a user gets by mail; without a row: all of them.
CREATE TABLE "notice_preferences" (
  "user_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "enabled" BOOLEAN NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "notice_preferences_pkey" PRIMARY KEY ("user_id", "kind"),
  CONSTRAINT "notice_preferences_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
);

-- What is to be told, or has been. The unique key makes a repeated event harmless.
CREATE TABLE "notices" (
  "id" BIGSERIAL NOT NULL,
  "user_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "data" JSONB NOT NULL,
  "job_id" UUID,
  "batch_id" UUID,
  "public_only" BOOLEAN NOT NULL DEFAULT false,
  "held" BOOLEAN NOT NULL DEFAULT false,
  "outcome" TEXT NOT NULL DEFAULT 'waiting',
  "mail_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "notices_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notices_outcome" CHECK ("outcome" IN ('waiting', 'sent', 'dropped')),
  CONSTRAINT "notices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "notices_user_id_kind_key_key" ON "notices" ("user_id", "kind", "key");
CREATE INDEX "notices_created_at_idx" ON "notices" ("created_at");
CREATE INDEX "notices_waiting" ON "notices" ("user_id", "kind", "id") WHERE "outcome" = 'waiting';
CREATE INDEX "notices_waiting_of_job" ON "notices" ("job_id") WHERE "outcome" = 'waiting';
CREATE INDEX "notices_waiting_of_batch" ON "notices" ("batch_id") WHERE "outcome" = 'waiting';

-- When the next mail of a kind goes to a user, and the mail under way: its notices are fixed and its id is its Message-ID.
CREATE TABLE "notice_queues" (
  "user_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "last_sent_at" TIMESTAMPTZ(3),
  "mail_id" UUID,
  "tries" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "notice_queues_pkey" PRIMARY KEY ("user_id", "kind"),
  CONSTRAINT "notice_queues_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX "notice_queues_due_at_idx" ON "notice_queues" ("due_at");

-- One row: what signs opt-out links, and nothing else.
CREATE TABLE "notice_secret" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "secret" BYTEA NOT NULL,
  CONSTRAINT "notice_secret_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice_secret_one_row" CHECK ("id" = 1)
);
