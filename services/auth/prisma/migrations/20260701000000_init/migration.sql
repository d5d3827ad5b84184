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
