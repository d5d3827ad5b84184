-- Start of the last run that tried to delete the object. Null: none has.
ALTER TABLE "archived_hands" ADD COLUMN "delete_tried_at" TIMESTAMPTZ(3);
