import type { Game } from './game.ts';
import { parseGame } from './parse-game.ts';

type Entry = [pid: number, action: string, amount: number];
type SampleOptions = { names?: string[]; start?: number[]; final?: number[]; board?: string[]; offset?: number };

/** Parses a log; throws if it is invalid. */
export function gameOf(value: unknown): Game {
  const result = parseGame(value);
  if (!result.ok) throw new Error(`${result.error} ${result.detail}`);
  return result.game;
}

/** Posts of the blinds by the first two seats, as raises. */
export const blinds: Entry[] = [
  [0, 'RAISE', 5],
  [1, 'RAISE', 10],
];

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
      names.map((_, seat) => [`${seat + 2}h`, `${seat + 2}c`]),
      0,
    ),
  };
}
