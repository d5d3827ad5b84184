-- AlterTable
ALTER TABLE "test_run_starts" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
