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
