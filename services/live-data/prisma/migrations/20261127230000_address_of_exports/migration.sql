-- AlterTable
ALTER TABLE "exports" ADD COLUMN "created_from" TEXT NOT NULL DEFAULT '';
