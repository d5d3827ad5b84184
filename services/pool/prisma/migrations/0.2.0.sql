-- migration 20251121090000_initial
CREATE TABLE "fleet" (
    "id" INTEGER NOT NULL,
    "target_size" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fleet_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "scaling_jobs" (
    "id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'Pending',
    "from_size" INTEGER NOT NULL,
    "target_size" INTEGER NOT NULL,
    "current_size" INTEGER NOT NULL,
    "error_message" TEXT NOT NULL DEFAULT '',
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "scaling_jobs_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "scaling_jobs_newest" ON "scaling_jobs"("created_at" DESC, "id" DESC);
CREATE INDEX "scaling_jobs_status" ON "scaling_jobs"("status", "created_at" DESC);
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
-- migration 20261121124000_autoscaling
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
-- migration 20261128203000_request_keys
-- Idempotency keys of the requests that created the rows; null: none.
ALTER TABLE "scaling_jobs" ADD COLUMN "request_key" TEXT, ADD COLUMN "request_digest" TEXT;
CREATE UNIQUE INDEX "scaling_jobs_request_key" ON "scaling_jobs" ("request_key");
