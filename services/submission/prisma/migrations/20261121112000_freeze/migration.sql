-- One row: what simulation has said last of the event's settings.
CREATE TABLE "event_freeze" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "frozen" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "event_freeze_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "event_freeze_one_row" CHECK ("id" = 1)
);
INSERT INTO "event_freeze" DEFAULT VALUES;
