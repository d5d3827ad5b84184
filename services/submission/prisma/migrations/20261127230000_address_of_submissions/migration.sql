-- AlterTable
ALTER TABLE "submissions" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
