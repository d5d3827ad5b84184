ALTER TABLE batches ADD COLUMN stop_rule jsonb, ADD COLUMN stopped_at timestamptz(3);
