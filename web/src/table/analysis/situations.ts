import { type Game, UNKNOWN_CARD } from '../game.ts';
import { statesOf } from '../replay-state.ts';
import type { TableState } from '../table-state.ts';

/** Board and remaining seats, on which probabilities depend. `key` identifies the situation. */
export type Situation = { key: string; boardCards: number; alive: readonly boolean[] };

/** Plain data for the worker. `hands` has null for a seat whose cards are unknown. */
export type AnalysisInput = { hands: (string[] | null)[]; board: string[]; situations: Situation[] };

function keyOf(cards: number, alive: readonly boolean[]): string {
  return `${cards}:${alive.map((still) => (still ? 1 : 0)).join('')}`;
}

/** Returns for each seat whether it was dealt in and has not folded. */
function aliveSeats(game: Game, state: TableState): boolean[] {
  return state.seats.map((seat, position) => !seat.folded && (game.players[position]?.cards.length ?? 0) > 0);
}

/** Returns the key of the situation at a step. */
export function situationKey(game: Game, state: TableState): string {
  return keyOf(state.board.length, aliveSeats(game, state));
}

/** Returns all situations of a hand in order, or null if a card is unknown or a duplicate. */
export function analysisInput(game: Game): AnalysisInput | null {
  const dealt = game.players.map((player) => (player.cards.length === 2 ? player.cards : null));
  const cards = [...game.board, ...dealt.flatMap((hand) => hand ?? [])];
  if (cards.includes(UNKNOWN_CARD) || new Set(cards).size !== cards.length) return null;
  if (dealt.filter((hand) => hand !== null).length < 2) return null;

  const found = new Map<string, Situation>();
  for (const state of [...statesOf(game, 'action'), ...statesOf(game, 'round')]) {
    const alive = aliveSeats(game, state);
    const key = keyOf(state.board.length, alive);
    if (!found.has(key)) found.set(key, { key, boardCards: state.board.length, alive });
  }
  return { hands: dealt, board: game.board, situations: [...found.values()] };
}
