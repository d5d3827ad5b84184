-- One row. NULL: as the service is configured.
CREATE TABLE "autoscaling" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "enabled" BOOLEAN,
  "minimum" INTEGER,
  "maximum" INTEGER,
  "drain_seconds" INTEGER,
  "version" INTEGER NOT NULL DEFAULT 1,
  "scaled_at" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_by" UUID,
  CONSTRAINT "autoscaling_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "autoscaling_one_row" CHECK ("id" = 1)
);
INSERT INTO "autoscaling" DEFAULT VALUES;
-- Why autoscaling made it. Its jobs have the nil UUID for a user, which the release before can read too.
ALTER TABLE "scaling_jobs" ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';
