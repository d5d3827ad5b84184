-- Jobs and batches whose visibility changed or which were deleted: events may arrive out of order.
CREATE TABLE "notice_subjects" (
  "id" UUID NOT NULL,
  "held" BOOLEAN,
  "changed_at" TIMESTAMPTZ(3),
  "deleted" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "notice_subjects_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notice_subjects_created_at_idx" ON "notice_subjects" ("created_at");
