-- When the chunks of the accepted attempt were moved to the archive. Null: they are in `chunks`.
ALTER TABLE "matches" ADD COLUMN "hands_archived_at" TIMESTAMPTZ(3);

-- The matches that can be archived, oldest first. A match leaves the index when it is archived.
CREATE INDEX "matches_archivable" ON "matches"("created_at", "job_id")
    WHERE "accepted_attempt" IS NOT NULL AND "hands_archived_at" IS NULL AND "hands_removed_at" IS NULL;

-- No foreign key: the row of a deleted match remains until its object is deleted.
CREATE TABLE "archived_hands" (
    "job_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "hands" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "archived_hands_pkey" PRIMARY KEY ("job_id")
);
CREATE INDEX "archived_hands_deleted" ON "archived_hands"("job_id") WHERE "deleted_at" IS NOT NULL;
