import type { Hand__Output } from '@husky/contracts/types/live/v1/Hand';
import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';

export function presentMatch(item: MatchItem__Output, nameOf: (id: string) => string) {
  return {
    job_id: item.jobId,
    batch_id: item.batchId || null,
    players: item.playerIds.map(nameOf),
    first_game_created_at: item.firstGameCreatedAt || null,
    is_public: item.isPublic,
    status: item.status,
    batch_number: item.batchNumber || null,
    game_number: item.gameNumber,
    hands: item.hands,
  };
}

/**
 * Puts names into a hand's log. Seats count from 0 in playerNames; ids (seat + 1) stand in usernameMapping and
 * playerIdToUsername (engine-facts, Decision 6).
 */
export function nameGame(hand: Hand__Output, nameOf: (id: string) => string): Record<string, unknown> {
  const game = JSON.parse(hand.gameJson) as Record<string, unknown>;
  const names = hand.playerIds.map(nameOf);
  game.playerNames = Object.fromEntries(names.map((name, seat) => [String(seat), name]));
  game.usernameMapping = Object.fromEntries(names.map((name, seat) => [name, seat + 1]));
  game.playerIdToUsername = Object.fromEntries(names.map((name, seat) => [String(seat + 1), name]));
  return game;
}
