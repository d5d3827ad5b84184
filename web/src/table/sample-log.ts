import { expect } from 'vitest';
import type { Game } from './game.ts';
import { parseGame } from './parse-game.ts';
import type { TableState } from './table-state.ts';

type Entry = [pid: number, action: string, amount: number];
type SampleOptions = {
  names?: string[];
  start?: number[];
  final?: number[];
  board?: string[];
  offset?: number;
  hands?: string[][];
};

/** Parses a log; throws if it is invalid. */
export function gameOf(value: unknown): Game {
  const result = parseGame(value);
  if (!result.ok) throw new Error(`${result.error} ${result.detail}`);
  return result.game;
}

/** Reads actions such as '0 RAISE 5, 1 ALL IN 8': seat, action, chips added. */
export function actions(text: string): Entry[] {
  return text.split(', ').map((action) => {
    const [, seat, kind = '', amount] = /^(\d) (.*) (\d+)$/.exec(action) ?? [];
    return [Number(seat), kind, Number(amount)];
  });
}

/** Raises with which the first two seats post the blinds. */
export const blinds = actions('0 RAISE 5, 1 RAISE 10');

/** Builds a log in the engines' format without pots, for tests: seats 0..n-1, ids 1..n. */
export function sampleLog(rounds: Entry[][], options: SampleOptions = {}) {
  const names = options.names ?? ['ann', 'bob', 'cat'];
  const offset = options.offset ?? 1;
  const keyed = <T>(values: readonly T[], shift: number) =>
    Object.fromEntries(values.map((value, seat) => [String(seat + shift), value]));
  return {
    gameId: 'sample',
    rounds: Object.fromEntries(
      rounds.map((entries, index) => [
        String(index),
        {
          pot: entries.reduce((sum, entry) => sum + entry[2], 0),
          action_sequence: entries.map(([player, action, amount]) => ({ player, action, amount, timestamp: 1 })),
        },
      ]),
    ) as Record<string, unknown>,
    playerNames: keyed(names, 0) as Record<string, unknown>,
    blinds: { small: 5, big: 10 } as unknown,
    finalBoard: options.board ?? ['Ks', '3h', '9d', 'Jc', '4s'],
    playerMoney: {
      initialAmount: 10_000,
      startingMoney: keyed(options.start ?? names.map(() => 10_000), offset),
      finalMoney: keyed(options.final ?? options.start ?? names.map(() => 10_000), offset),
    },
    playerHands: keyed(
      names.map((_, seat) => options.hands?.[seat] ?? [`${seat + 2}h`, `${seat + 2}c`]),
      0,
    ),
  };
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the chips that each seat has received so far: pots and a returned bet. */
export const received = (state: TableState) => state.seats.map((seat) => seat.winnings + seat.returned);

/**
 * Checks the chips of one step: their number is constant, bets add up to the street's pot, payments to the chips received, and
 * only seats that gain in the hand are marked as winners.
 */
export function expectChips(game: Game, state: TableState): void {
  const stacks = state.seats.map((seat) => seat.stack);
  const paid = state.paid.flatMap((payment) => (payment.kind === 'return' ? [payment] : payment.award.shares));
  expect(sum(stacks) + state.potLeft).toBe(sum(game.players.map((player) => player.startChips)));
  expect(state.potLeft + sum(state.seats.map((seat) => seat.winnings))).toBe(state.totalPot);
  expect(Math.min(...stacks)).toBeGreaterThanOrEqual(0);
  expect(sum(paid.map((share) => share.amount))).toBe(sum(received(state)));
  expect(paid.filter((share) => share.amount <= 0 || state.seats[share.seat]?.folded)).toEqual([]);
  if (state.stage?.kind !== 'award' && !(state.over && state.mode === 'round')) {
    expect(sum(state.seats.map((seat) => seat.streetBet))).toBe(state.roundPot);
  }
  const losers = game.players.map((player) => (player.finalChips ?? 0) <= player.startChips);
  expect(state.seats.filter((seat, position) => seat.won && losers[position])).toEqual([]);
  if (state.over) expect(state.potLeft).toBe(0);
}
