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
