-- After how many days live-data removes what nothing published depends on; 0: never.
ALTER TABLE "settings" ADD COLUMN "keep_test_runs_days" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "settings" ADD COLUMN "keep_logs_days" INTEGER NOT NULL DEFAULT 0;
