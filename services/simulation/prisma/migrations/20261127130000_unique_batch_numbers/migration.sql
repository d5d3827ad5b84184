-- One number, one batch. Of several batches with one number the newest keeps it, as /batches/{number} showed that one. Each other batch
-- gets its serial number, or the next free number if another batch is shown with that.
LOCK TABLE "batches" IN SHARE ROW EXCLUSIVE MODE;
DO $$
DECLARE
  other RECORD;
  free INTEGER;
BEGIN
  LOOP
    SELECT id, batch_number INTO other FROM (
      SELECT id, batch_number, row_number() OVER (PARTITION BY shown_number ORDER BY batch_number DESC) AS place
      FROM "batches" WHERE state <> 'DELETING') AS ranked
    WHERE place > 1 ORDER BY batch_number LIMIT 1;
    EXIT WHEN NOT FOUND;
    free := other.batch_number;
    WHILE EXISTS (SELECT FROM "batches" WHERE shown_number = free AND state <> 'DELETING') LOOP
      free := nextval(pg_get_serial_sequence('batches', 'batch_number'));
    END LOOP;
    UPDATE "batches" SET metadata_id = gen_random_uuid(), metadata = CASE WHEN free = batch_number THEN metadata - 'batch_number'
      ELSE coalesce(metadata, '{}') || jsonb_build_object('batch_number', free) END
    WHERE id = other.id;
  END LOOP;
END $$;
CREATE UNIQUE INDEX "batches_shown_number" ON "batches" ("shown_number") WHERE "state" <> 'DELETING';

-- Numbers that a batch had. They lead to the last batch that had them and still exists.
CREATE TABLE "former_batch_numbers" (
  "number" INTEGER NOT NULL,
  "batch_id" UUID NOT NULL REFERENCES "batches" ("id") ON DELETE CASCADE,
  "change" BIGSERIAL NOT NULL,
  PRIMARY KEY ("number", "batch_id")
);
CREATE INDEX "former_batch_numbers_batch_id" ON "former_batch_numbers" ("batch_id");
