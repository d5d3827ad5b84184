-- When the object of a deleted match is deleted next. Null: at once.
ALTER TABLE "archived_hands" ADD COLUMN "delete_after" TIMESTAMPTZ(3);

DROP INDEX "archived_hands_deleted";
CREATE INDEX "archived_hands_to_delete" ON "archived_hands"(coalesce("delete_after", '-infinity'), "job_id")
    WHERE "deleted_at" IS NOT NULL;
