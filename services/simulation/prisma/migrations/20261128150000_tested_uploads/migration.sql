-- AlterTable
ALTER TABLE "test_run_starts" ADD COLUMN "submission_id" UUID, ADD COLUMN "uploaded_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "test_run_starts_submission_id" ON "test_run_starts"("submission_id");

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN "progress_at" TIMESTAMPTZ(3), ADD COLUMN "public" BOOLEAN NOT NULL DEFAULT false;
