CREATE TABLE "exports" (
    "id" UUID NOT NULL,
    "batch_id" UUID,
    "period_from" DATE,
    "period_to" DATE,
    "signature" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "problem" TEXT NOT NULL DEFAULT '',
    "job_ids" UUID[],
    "for_public" BOOLEAN NOT NULL,
    "created_by" UUID NOT NULL,
    "input" JSONB NOT NULL,
    "totals" JSONB NOT NULL DEFAULT '{}',
    "steps_done" INTEGER NOT NULL DEFAULT 0,
    "matches_done" INTEGER NOT NULL DEFAULT 0,
    "hands" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "export_files" (
    "export_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "method" INTEGER NOT NULL,
    "crc" BIGINT NOT NULL,
    "size" BIGINT NOT NULL,
    "stored_size" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "rows" INTEGER,

    CONSTRAINT "export_files_pkey" PRIMARY KEY ("export_id","path")
);

CREATE TABLE "export_parts" (
    "export_id" UUID NOT NULL,
    "start" BIGINT NOT NULL,
    "length" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "export_parts_pkey" PRIMARY KEY ("export_id","start")
);

-- The archive is compressed already.
ALTER TABLE "export_parts" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

CREATE INDEX "exports_jobs" ON "exports" USING GIN ("job_ids");
CREATE INDEX "exports_batch" ON "exports"("batch_id", "created_at");
CREATE UNIQUE INDEX "exports_current" ON "exports"("signature") WHERE "state" IN ('waiting', 'running', 'ready');

ALTER TABLE "export_files" ADD CONSTRAINT "export_files_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
