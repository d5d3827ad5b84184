import type { GameRow } from '../../lib/types.ts';

export type Neighbours = { previous: GameRow | null; next: GameRow | null };

/** The hands before and after a hand of a match, by their numbers whatever the order of the list. */
export function neighboursOf(gameId: string, games: readonly GameRow[]): Neighbours {
  const sorted = [...games].sort((a, b) => Number(a.game_uuid) - Number(b.game_uuid));
  const at = sorted.findIndex((game) => game.game_id === gameId);
  if (at < 0) return { previous: null, next: null };
  return { previous: sorted[at - 1] ?? null, next: sorted[at + 1] ?? null };
}
