-- Accounts of the example bots that fill the tables of the ladder: no password, so nobody can sign in.
INSERT INTO "users" ("id", "username", "username_key", "verified", "house", "created_at")
SELECT ('00000000-0000-8000-8000-00000000001' || n)::uuid, 'house-' || style, 'house-' || style, true, true, now()
FROM unnest(ARRAY['tight-aggressive', 'pot-odds', 'position-aware', 'pressure', 'calling-station', 'random-legal'])
  WITH ORDINALITY AS s(style, place), LATERAL (SELECT place - 1 AS n) AS p
ON CONFLICT DO NOTHING;
