CREATE INDEX "entries_tag_created_at_idx" ON "entries" ("tag", "created_at");
