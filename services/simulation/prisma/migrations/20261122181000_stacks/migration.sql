ALTER TABLE jobs ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset'));
