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
