CREATE TABLE "known_places" (
  "key" BYTEA NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "known_places_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "known_places_seen_at_idx" ON "known_places" ("seen_at");
