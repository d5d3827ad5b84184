-- Totals of the lists by kind are counted from this index alone.
CREATE INDEX "jobs_kind_state_idx" ON "jobs" ("kind", "state");
