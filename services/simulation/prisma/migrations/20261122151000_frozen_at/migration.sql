-- The time since which the event is frozen, for pages that say why uploads are refused.
ALTER TABLE "settings" ADD COLUMN "frozen_at" TIMESTAMPTZ(3);
UPDATE "settings" SET "frozen_at" = "updated_at" WHERE "frozen";
