-- migration 20260701000000_init
CREATE TABLE "users" (
  "id" UUID NOT NULL,
  "username" TEXT NOT NULL,
  "username_key" TEXT COLLATE "C" NOT NULL,
  "email" TEXT,
  "email_key" TEXT,
  "password_hash" TEXT,
  "name" TEXT,
  "github" TEXT,
  "discord_username" TEXT,
  "about" TEXT,
  "admin" BOOLEAN NOT NULL DEFAULT false,
  "verified" BOOLEAN NOT NULL DEFAULT false,
  "house" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "deleted_at" TIMESTAMPTZ(3),
  "verification_sent_at" TIMESTAMPTZ(3),
  "reset_sent_at" TIMESTAMPTZ(3),
  CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_username_key_key" ON "users" ("username_key");
CREATE UNIQUE INDEX "users_email_key_key" ON "users" ("email_key");

CREATE TABLE "name_claims" (
  "name_hash" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "name_claims_pkey" PRIMARY KEY ("name_hash")
);

CREATE TABLE "sessions" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "address" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");

CREATE TABLE "mail_tokens" (
  "token_hash" BYTEA NOT NULL,
  "user_id" UUID NOT NULL,
  "purpose" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "mail_tokens_pkey" PRIMARY KEY ("token_hash"),
  CONSTRAINT "mail_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "mail_tokens_user_id_idx" ON "mail_tokens" ("user_id");
CREATE INDEX "mail_tokens_expires_at_idx" ON "mail_tokens" ("expires_at");

CREATE TABLE "login_attempts" (
  "key" BYTEA NOT NULL,
  "failures" INTEGER NOT NULL,
  "blocked_until" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "login_attempts_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "login_attempts_updated_at_idx" ON "login_attempts" ("updated_at");

CREATE TABLE "signing_keys" (
  "kid" TEXT NOT NULL,
  "jwk" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

CREATE TABLE "outbox" (
  "id" BIGSERIAL NOT NULL,
  "message_id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "trace_context" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- The house bot's account: it plays test runs, has no password and so cannot sign in.
INSERT INTO "users" ("id", "username", "username_key", "verified", "house", "created_at")
VALUES ('00000000-0000-8000-8000-000000000001', 'house', 'house', true, true, now());
-- migration 20261121105000_audit
CREATE TABLE "audit_records" (
  "id" UUID NOT NULL,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "action" TEXT NOT NULL,
  "actor_id" UUID,
  "actor_kind" TEXT NOT NULL,
  "subject_kind" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "before_json" TEXT NOT NULL,
  "after_json" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  CONSTRAINT "audit_records_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_records_occurred_at_id_idx" ON "audit_records" ("occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_actor_id_occurred_at_id_idx" ON "audit_records" ("actor_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_action_occurred_at_id_idx" ON "audit_records" ("action", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_subject_id_occurred_at_id_idx" ON "audit_records" ("subject_id", "occurred_at" DESC, "id" DESC);

-- The words of a record, for its search: letters and digits, in lower case.
CREATE FUNCTION "audit_words" (text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT array_to_tsvector(array_remove(string_to_array(regexp_replace(lower($1), '[^a-z0-9]+', ' ', 'g'), ' '), '')) $$;
CREATE INDEX "audit_records_words" ON "audit_records" USING gin (
  "audit_words"("action" || ' ' || "subject_kind" || ' ' || "subject_id" || ' ' || "before_json" || ' ' || "after_json" || ' ' || "request_id" || ' ' || "address")
);

-- Append-only: whoever was given rights on the table by default keeps SELECT and INSERT alone.
DO $$
DECLARE grantee text;
BEGIN
  FOR grantee IN
    SELECT DISTINCT r.rolname FROM pg_class c
    CROSS JOIN LATERAL aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'audit_records'::regclass AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON audit_records FROM %I', grantee);
  END LOOP;
END $$;
-- migration 20261121123000_email_change
ALTER TABLE "users" ADD COLUMN "email_change_sent_at" TIMESTAMPTZ(3);
ALTER TABLE "mail_tokens" ADD COLUMN "new_email" TEXT;
-- migration 20261121124500_notices
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
-- migration 20261121130500_known_places
CREATE TABLE "known_places" (
  "key" BYTEA NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "known_places_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "known_places_seen_at_idx" ON "known_places" ("seen_at");
-- migration 20261123012000_api_tokens
CREATE TABLE "api_tokens" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "scopes" TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "api_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens" ("token_hash");
CREATE INDEX "api_tokens_user_id_idx" ON "api_tokens" ("user_id");
CREATE INDEX "api_tokens_expires_at_idx" ON "api_tokens" ("expires_at");
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
-- migration 20261123054500_notice_subjects
-- Jobs and batches whose visibility changed or which were deleted: events may arrive out of order.
CREATE TABLE "notice_subjects" (
  "id" UUID NOT NULL,
  "held" BOOLEAN,
  "changed_at" TIMESTAMPTZ(3),
  "deleted" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "notice_subjects_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notice_subjects_created_at_idx" ON "notice_subjects" ("created_at");
-- migration 20261128200000_house_players
-- Accounts of the example bots that fill the tables of the ladder: no password, so nobody can sign in.
INSERT INTO "users" ("id", "username", "username_key", "verified", "house", "created_at")
SELECT ('00000000-0000-8000-8000-00000000001' || n)::uuid, 'house-' || style, 'house-' || style, true, true, now()
FROM unnest(ARRAY['tight-aggressive', 'pot-odds', 'position-aware', 'pressure', 'calling-station', 'random-legal'])
  WITH ORDINALITY AS s(style, place), LATERAL (SELECT place - 1 AS n) AS p
ON CONFLICT DO NOTHING;
-- migration 20261128203000_request_keys
-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "api_tokens" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT, ADD COLUMN "request_salt" BYTEA;
CREATE UNIQUE INDEX "api_tokens_request_key" ON "api_tokens" ("request_key");
