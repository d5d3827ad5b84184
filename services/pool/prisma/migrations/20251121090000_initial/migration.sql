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
