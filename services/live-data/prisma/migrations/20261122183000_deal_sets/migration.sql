ALTER TABLE matches ADD COLUMN deal_set_id uuid, ADD COLUMN rotation integer NOT NULL DEFAULT 0;
CREATE INDEX matches_deal_set_id_idx ON matches (deal_set_id);
