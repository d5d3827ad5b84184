-- One row: how the event is run.
CREATE TABLE "settings" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "banner" TEXT NOT NULL DEFAULT '',
  "frozen" BOOLEAN NOT NULL DEFAULT false,
  "tournament_start" TIMESTAMPTZ(3) NOT NULL DEFAULT '2025-07-12 00:00:00-07',
  "tournament_end" TIMESTAMPTZ(3) NOT NULL DEFAULT '2025-07-21 23:59:59-07',
  "max_test_runs" INTEGER,
  "version" INTEGER NOT NULL DEFAULT 1,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_by" UUID,
  CONSTRAINT "settings_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "settings_one_row" CHECK ("id" = 1)
);
INSERT INTO "settings" DEFAULT VALUES;
