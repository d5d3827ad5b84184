ALTER TABLE matches ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset'));
