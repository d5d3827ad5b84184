ALTER TABLE jobs ADD COLUMN rotation integer CHECK (rotation BETWEEN 1 AND 6);
ALTER TABLE batches
  ADD COLUMN mode text NOT NULL DEFAULT 'classic' CHECK (mode IN ('classic', 'duplicate')),
  ADD COLUMN stacks text NOT NULL DEFAULT 'carry' CHECK (stacks IN ('carry', 'reset')),
  ADD COLUMN design text NOT NULL DEFAULT 'all' CHECK (design IN ('all', 'balanced')),
  ADD COLUMN hand_budget bigint CHECK (hand_budget > 0),
  ADD COLUMN tables bytea;
