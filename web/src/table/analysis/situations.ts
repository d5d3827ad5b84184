import { boardCards, type Game, UNKNOWN_CARD } from '../game.ts';
import type { TableState } from '../replay-state.ts';

/** Board and remaining seats, on which probabilities depend. `key` identifies the situation. */
export type Situation = { key: string; boardCards: number; alive: boolean[] };

/** Plain data for the worker. `hands` has null for a seat whose cards are unknown. */
export type AnalysisInput = { hands: (string[] | null)[]; board: string[]; situations: Situation[] };

function keyOf(cards: number, alive: readonly boolean[]): string {
  return `${cards}:${alive.map((still) => (still ? 1 : 0)).join('')}`;
}

/** Returns the key of the situation at a step. Seats count that were dealt in and have not folded. */
export function situationKey(game: Game, state: TableState): string {
  const alive = state.seats.map((seat, position) => !seat.folded && (game.players[position]?.cards.length ?? 0) > 0);
  return keyOf(state.board.length, alive);
}

/** Returns all situations of a hand in order, or null if a card is unknown or a duplicate. */
export function analysisInput(game: Game): AnalysisInput | null {
  const dealt = game.players.map((player) => (player.cards.length === 2 ? player.cards : null));
  const cards = [...game.board, ...dealt.flatMap((hand) => hand ?? [])];
  if (cards.includes(UNKNOWN_CARD) || new Set(cards).size !== cards.length) return null;
  if (dealt.filter((hand) => hand !== null).length < 2) return null;

  const found = new Map<string, Situation>();
  const alive = game.players.map((player) => player.cards.length > 0);
  const note = (count: number) => {
    const key = keyOf(count, alive);
    if (!found.has(key)) found.set(key, { key, boardCards: count, alive: [...alive] });
  };
  for (const round of game.rounds) {
    const count = Math.min(boardCards(round.index), game.board.length);
    note(count);
    for (const action of round.actions) {
      if (action.kind === 'FOLD') alive[action.seat] = false;
      note(count);
    }
  }
  if (alive.filter(Boolean).length > 1) note(game.board.length);
  return { hands: dealt, board: game.board, situations: [...found.values()] };
}
