-- Quotas that simulation tells of with the freeze; null: as this service is configured.
ALTER TABLE "event_freeze" ADD COLUMN "max_submissions" INTEGER;
ALTER TABLE "event_freeze" ADD COLUMN "max_uploads_a_day" INTEGER;

-- What simulation has said last of one user's own quota; null: as the event has it.
CREATE TABLE "user_quotas" (
  "user_id" UUID NOT NULL,
  "max_submissions" INTEGER,
  "max_uploads_a_day" INTEGER,
  "version" INTEGER NOT NULL,
  CONSTRAINT "user_quotas_pkey" PRIMARY KEY ("user_id")
);

-- Uploads of the last day, deleted ones too: what a quota a day counts.
CREATE TABLE "upload_marks" (
  "submission_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "uploaded_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "upload_marks_pkey" PRIMARY KEY ("submission_id")
);
CREATE INDEX "upload_marks_user_id_uploaded_at_idx" ON "upload_marks" ("user_id", "uploaded_at");
CREATE INDEX "upload_marks_uploaded_at_idx" ON "upload_marks" ("uploaded_at");
INSERT INTO "upload_marks" ("submission_id", "user_id", "uploaded_at")
  SELECT "id", "user_id", "created_at" FROM "submissions" WHERE "created_at" > CURRENT_TIMESTAMP - INTERVAL '1 day';
