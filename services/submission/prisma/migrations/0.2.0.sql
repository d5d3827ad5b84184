-- migration 20261121090000_init
-- Content by its SHA-256; data is zstd-compressed.
CREATE TABLE "blobs" (
  "hash" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "data" BYTEA NOT NULL,
  "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "blobs_pkey" PRIMARY KEY ("hash")
);
ALTER TABLE "blobs" ALTER COLUMN "data" SET STORAGE EXTERNAL;

CREATE TABLE "bots" (
  "hash" TEXT NOT NULL,
  "player_hash" TEXT NOT NULL,
  "requirements_file_hash" TEXT NOT NULL,
  "requirements_hash" TEXT NOT NULL,
  "house" BOOLEAN NOT NULL DEFAULT false,
  "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "bots_pkey" PRIMARY KEY ("hash"),
  CONSTRAINT "bots_player_hash_fkey" FOREIGN KEY ("player_hash") REFERENCES "blobs" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "bots_requirements_file_hash_fkey" FOREIGN KEY ("requirements_file_hash") REFERENCES "blobs" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "bots_player_hash_idx" ON "bots" ("player_hash");
CREATE INDEX "bots_requirements_file_hash_idx" ON "bots" ("requirements_file_hash");
CREATE INDEX "bots_requirements_hash_idx" ON "bots" ("requirements_hash");

CREATE TABLE "submissions" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "player_file_id" UUID NOT NULL,
  "requirements_file_id" UUID NOT NULL,
  "final" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "submissions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "submissions_bot_hash_fkey" FOREIGN KEY ("bot_hash") REFERENCES "bots" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "submissions_user_id_created_at_idx" ON "submissions" ("user_id", "created_at");
CREATE INDEX "submissions_bot_hash_idx" ON "submissions" ("bot_hash");
CREATE UNIQUE INDEX "submissions_player_file_id_key" ON "submissions" ("player_file_id");
CREATE UNIQUE INDEX "submissions_requirements_file_id_key" ON "submissions" ("requirements_file_id");
-- One final submission per user, whatever runs at the same time.
CREATE UNIQUE INDEX "submissions_one_final_per_user" ON "submissions" ("user_id") WHERE "final";

-- What a job or a batch plays, kept until it is released.
CREATE TABLE "pins" (
  "holder_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "pins_pkey" PRIMARY KEY ("holder_id", "user_id", "bot_hash"),
  CONSTRAINT "pins_bot_hash_fkey" FOREIGN KEY ("bot_hash") REFERENCES "bots" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "pins_bot_hash_idx" ON "pins" ("bot_hash");

-- Unpacked wheels as .tar.gz, cut into rows of 1 MiB.
CREATE TABLE "archives" (
  "hash" TEXT NOT NULL,
  "resolved" TEXT NOT NULL,
  "unpacked_bytes" INTEGER NOT NULL,
  "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "archives_pkey" PRIMARY KEY ("hash")
);
CREATE TABLE "archive_parts" (
  "archive_hash" TEXT NOT NULL,
  "part" INTEGER NOT NULL,
  "data" BYTEA NOT NULL,
  CONSTRAINT "archive_parts_pkey" PRIMARY KEY ("archive_hash", "part"),
  CONSTRAINT "archive_parts_archive_hash_fkey" FOREIGN KEY ("archive_hash") REFERENCES "archives" ("hash") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "archive_parts" ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- Which archive a requirements.txt (normalised) became for one Python and platform.
CREATE TABLE "resolutions" (
  "requirements_hash" TEXT NOT NULL,
  "python" TEXT NOT NULL,
  "platform" TEXT NOT NULL,
  "archive_hash" TEXT NOT NULL,
  "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "resolutions_pkey" PRIMARY KEY ("requirements_hash", "python", "platform"),
  CONSTRAINT "resolutions_archive_hash_fkey" FOREIGN KEY ("archive_hash") REFERENCES "archives" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "resolutions_archive_hash_idx" ON "resolutions" ("archive_hash");

-- Users whose deletion has been told: an upload that was under way must not come after it.
CREATE TABLE "deleted_users" (
  "user_id" UUID NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "deleted_users_pkey" PRIMARY KEY ("user_id")
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
-- migration 20261121112000_freeze
-- One row: what simulation has said last of the event's settings.
CREATE TABLE "event_freeze" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "frozen" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "event_freeze_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "event_freeze_one_row" CHECK ("id" = 1)
);
INSERT INTO "event_freeze" DEFAULT VALUES;
-- migration 20261121124500_quotas
-- Quotas that simulation tells of with the freeze; null: as this service is configured.
ALTER TABLE "event_freeze" ADD COLUMN "max_submissions" INTEGER;
ALTER TABLE "event_freeze" ADD COLUMN "max_uploads_a_day" INTEGER;

-- What simulation has said last of one user's own quota; null: as the event has it.
CREATE TABLE "user_quotas" (
  "user_id" UUID NOT NULL,
  "max_submissions" INTEGER,
  "max_uploads_a_day" INTEGER,
  "version" INTEGER NOT NULL,
  CONSTRAINT "user_quotas_pkey" PRIMARY KEY ("user_id")
);

-- Uploads of the last day, deleted ones too: what a quota a day counts.
CREATE TABLE "upload_marks" (
  "submission_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "uploaded_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "upload_marks_pkey" PRIMARY KEY ("submission_id")
);
CREATE INDEX "upload_marks_user_id_uploaded_at_idx" ON "upload_marks" ("user_id", "uploaded_at");
CREATE INDEX "upload_marks_uploaded_at_idx" ON "upload_marks" ("uploaded_at");
INSERT INTO "upload_marks" ("submission_id", "user_id", "uploaded_at")
  SELECT "id", "user_id", "created_at" FROM "submissions" WHERE "created_at" > CURRENT_TIMESTAMP - INTERVAL '1 day';
-- migration 20261122120000_event_settings
-- The table holds the event's freeze and quotas.
ALTER TABLE "event_freeze" RENAME TO "event_settings";
ALTER TABLE "event_settings" RENAME CONSTRAINT "event_freeze_pkey" TO "event_settings_pkey";
ALTER TABLE "event_settings" RENAME CONSTRAINT "event_freeze_one_row" TO "event_settings_one_row";

-- Replicas of the version before read and update the table by its old name during an upgrade.
CREATE VIEW "event_freeze" AS SELECT * FROM "event_settings";
-- migration 20261122150000_bot_versions
-- The bots that each user uploaded or tested, so that the code of a match can be shown to its author afterwards.
CREATE TABLE "bot_versions" (
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "first_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "bot_versions_pkey" PRIMARY KEY ("user_id", "bot_hash"),
  CONSTRAINT "bot_versions_bot_hash_fkey" FOREIGN KEY ("bot_hash") REFERENCES "bots" ("hash") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "bot_versions_bot_hash_idx" ON "bot_versions" ("bot_hash");

INSERT INTO "bot_versions" ("user_id", "bot_hash", "first_used_at", "last_used_at")
SELECT "user_id", "bot_hash", min("created_at"), max("created_at") FROM "submissions" GROUP BY "user_id", "bot_hash";
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
-- migration 20261127213000_preparing
-- Submissions whose packages are prepared after the upload was answered.
ALTER TABLE "submissions" ADD COLUMN "state" TEXT NOT NULL DEFAULT 'ready';
ALTER TABLE "submissions" ADD COLUMN "step" TEXT NOT NULL DEFAULT '';
ALTER TABLE "submissions" ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';
ALTER TABLE "submissions" ADD COLUMN "prepare_after" TIMESTAMPTZ(3);
ALTER TABLE "submissions" ADD COLUMN "prepare_tries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "submissions" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
-- Also holds for replicas of the version before, which know no states.
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_final_is_ready" CHECK (NOT "final" OR "state" = 'ready');
CREATE INDEX "submissions_prepare_after_idx" ON "submissions" ("prepare_after") WHERE "state" = 'preparing';
-- migration 20261127230000_address_of_submissions
-- AlterTable
ALTER TABLE "submissions" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
-- migration 20261128080000_nonces
-- What an upload adds to the randomness of its matches (docs/fairness.md): 64 hex digits; null: nothing.
ALTER TABLE "submissions" ADD COLUMN "nonce" TEXT;
CREATE UNIQUE INDEX "submissions_nonce" ON "submissions" ("nonce");
-- migration 20261128203000_request_keys
-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "submissions" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "submissions_request_key" ON "submissions" ("request_key");
-- migration 20261128212000_final_marks
CREATE TABLE "final_marks" (
  "submission_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "nonce" TEXT,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3),
  CONSTRAINT "final_marks_pkey" PRIMARY KEY ("submission_id", "since")
);
CREATE INDEX "final_marks_user_id_idx" ON "final_marks"("user_id");

INSERT INTO "final_marks" ("submission_id", "user_id", "bot_hash", "nonce", "since")
SELECT "id", "user_id", "bot_hash", "nonce", "created_at" FROM "submissions" WHERE "final";

-- A trigger, so that replicas of the version before keep the history too. The start of the transaction is the time of both a mark and the end of
-- the one that it replaces.
CREATE FUNCTION "record_final_mark"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."final" THEN
    UPDATE "final_marks" SET "until" = now() WHERE "submission_id" = OLD."id" AND "until" IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."final" THEN
    INSERT INTO "final_marks" ("submission_id", "user_id", "bot_hash", "nonce", "since")
    VALUES (NEW."id", NEW."user_id", NEW."bot_hash", NEW."nonce", now())
    ON CONFLICT ("submission_id", "since") DO UPDATE SET "until" = NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "submissions_record_final_mark" AFTER INSERT OR DELETE OR UPDATE OF "final" ON "submissions"
  FOR EACH ROW EXECUTE FUNCTION "record_final_mark"();
-- migration 20261129103000_authorings
-- CreateTable
CREATE TABLE "authorings" (
    "id" UUID NOT NULL,
    "archive" BYTEA NOT NULL,
    "record" TEXT NOT NULL,
    "shown" TEXT NOT NULL DEFAULT 'private',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request_key" TEXT,
    "request_digest" TEXT,

    CONSTRAINT "authorings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "authorings_request_key" ON "authorings"("request_key");

-- AddForeignKey
ALTER TABLE "authorings" ADD CONSTRAINT "authorings_id_fkey" FOREIGN KEY ("id") REFERENCES "submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
