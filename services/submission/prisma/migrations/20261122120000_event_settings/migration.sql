-- The table holds the event's freeze and quotas.
ALTER TABLE "event_freeze" RENAME TO "event_settings";
ALTER TABLE "event_settings" RENAME CONSTRAINT "event_freeze_pkey" TO "event_settings_pkey";
ALTER TABLE "event_settings" RENAME CONSTRAINT "event_freeze_one_row" TO "event_settings_one_row";

-- Replicas of the version before read and update the table by its old name during an upgrade.
CREATE VIEW "event_freeze" AS SELECT * FROM "event_settings";
