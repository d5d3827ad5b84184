-- Admins look for the matches of a player.
CREATE INDEX "matches_players" ON "matches" USING GIN ("player_ids");
