-- The newest rules that a runner knows. Runners of earlier releases do not report it.
ALTER TABLE "runners" ADD COLUMN "rules_version" INTEGER NOT NULL DEFAULT 1;
