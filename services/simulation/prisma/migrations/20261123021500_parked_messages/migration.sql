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
