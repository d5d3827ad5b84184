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
