// read_phh.py reads files with PokerKit's own reader and compares the stacks.
import { expect, test } from 'vitest';
import type { GameData } from '../src/game-data.ts';
import { phhOf } from '../src/phh.ts';

interface HandFacts {
  readonly names: readonly string[];
  readonly stacks: readonly number[];
  readonly final: readonly number[];
  readonly hands: Readonly<Record<number, readonly string[]>>;
  readonly button: number;
  readonly board?: readonly string[];
  /** By street: seat, action, chips added. */
  readonly streets: readonly string[];
  readonly verdicts?: GameData['verdicts'];
  readonly smallBlindSeat?: number | null;
}

const byId = (chips: readonly number[]) => Object.fromEntries(chips.map((amount, seat) => [seat + 1, amount]));
const timestamp = Date.UTC(2026, 10, 22, 14, 5, 6, 78);
// PHH has no pots.
const pots = { total_pot_after_action: 0 };
const timed = (text: string) => {
  const [, player, action = '', amount] = /^(\d) (.*) (\d+)$/.exec(text) ?? [];
  return { player: Number(player), action, amount: Number(amount), timestamp, ...pots };
};
const actionsOf = (street: string) => (street === '' ? [] : street.split(', ').map(timed));
const game = ({
  names,
  stacks,
  final,
  hands,
  button,
  board = [],
  streets,
  verdicts,
  ...rest
}: HandFacts): GameData => ({
  gameId: 'a-match',
  rounds: Object.fromEntries(streets.map((street, round) => [round, { action_sequence: actionsOf(street) }])),
  playerNames: Object.fromEntries(names.map((name, seat) => [seat, name])),
  blinds: { small: 5, big: 10 },
  finalBoard: board,
  playerMoney: {
    startingMoney: byId(stacks),
    finalMoney: byId(final),
    thisGameDelta: byId(final.map((chips, seat) => chips - (stacks[seat] ?? 0))),
  },
  playerHands: hands,
  button,
  ...rest,
  ...(verdicts === undefined ? {} : { verdicts }),
});

test('writes a hand with its streets, showdown and faults, in the order from the small blind', () => {
  const text = phhOf(
    game({
      names: ['ann', 'bob "the\\ \u007f', 'cy', 'out'],
      stacks: [1000, 1000, 1000, 0],
      final: [960, 1080, 960, 0],
      hands: { 0: ['Ah', 'Kd'], 1: ['Qs', 'Qd'], 2: ['2c', '7d'] },
      button: 0,
      board: ['2h', '3d', '4s', '9c', 'Jh'],
      streets: [
        '1 RAISE 5, 2 RAISE 10, 0 RAISE 40, 1 CALL 35, 2 CALL 30',
        '1 CHECK 0, 2 FOLD 0, 0 CHECK 0',
        '1 CHECK 0, 0 CHECK 0',
        '1 CHECK 0, 0 CHECK 0',
      ],
      verdicts: [{ round: 1, index: 1, code: 'timeout' }],
    }),
    7,
    'match-1',
  );
  expect(text).toBe(`variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1000, 1000, 1000]
actions = [
  "d dh p1 QsQd",
  "d dh p2 2c7d",
  "d dh p3 AhKd",
  "p3 cbr 40",
  "p1 cc",
  "p2 cc",
  "d db 2h3d4s",
  "p1 cc",
  "p2 f # timeout",
  "p3 cc",
  "d db 9c",
  "p1 cc",
  "p3 cc",
  "d db Jh",
  "p1 cc",
  "p3 cc",
  "p1 sm QsQd",
  "p3 sm AhKd",
]
event = "Husky Hold'em"
time = 14:05:06.078
time_zone = "UTC"
day = 22
month = 11
year = 2026
hand = 7
seats = [2, 3, 1]
seat_count = 4
table = "match-1"
players = ["bob \\"the\\\\ \\u007f", "cy", "ann"]
finishing_stacks = [1080, 960, 960]
`);
});

const actions = (text: string) => [...text.matchAll(/^ {2}"(p.*)",$/gm)].map(([, action]) => action);

test('begins with the big blind after a dead small blind, and with the seat after a dead button', () => {
  const stacks = [1000, 0, 1000, 1000];
  const hands = { 0: ['Ah', 'Kd'], 2: ['Qs', 'Qd'], 3: ['2c', '7d'] };
  const facts = { names: ['ann', 'bob', 'cem', 'dee'], stacks, final: stacks, hands };
  const dead = game({
    ...facts,
    button: 0,
    smallBlindSeat: null,
    streets: ['2 RAISE 10, 3 RAISE 30, 0 FOLD 0, 2 FOLD 0'],
  });
  const text = phhOf(dead, 1, 'm');
  expect(text).toContain('blinds_or_straddles = [10, 0, 0]\nmin_bet = 10\n');
  expect(text).toContain('seats = [3, 4, 1]\n');
  expect(actions(text)).toEqual(['p2 cbr 30', 'p3 f', 'p1 f']);
  const streets = ['2 RAISE 5, 3 RAISE 10, 0 FOLD 0, 2 FOLD 0'];
  const button = phhOf(game({ ...facts, button: 1, smallBlindSeat: 2, streets }), 1, 'm');
  expect(button).toContain('blinds_or_straddles = [5, 10, 0]\n');
  expect([button.includes('seats = [3, 4, 1]\n'), actions(button)]).toEqual([true, ['p3 f', 'p1 f']]);
});

test('lists the big blind first with two players and writes a raise that nobody can call as a call', () => {
  const text = phhOf(
    game({
      names: ['ann', 'bob'],
      stacks: [1000, 300],
      final: [700, 600],
      hands: { 0: ['Ah', 'Kd'], 1: ['Qs', 'Qd'] },
      button: 0,
      board: ['2h', '3d', '4s', '9c', 'Jh'],
      streets: ['0 RAISE 5, 1 RAISE 10, 0 RAISE 25, 1 ALL IN 290, 0 ALL IN 970', '', '', ''],
    }),
    1,
    'm',
  );
  expect(text).toContain('starting_stacks = [300, 1000]\n');
  expect(text).toContain('blinds_or_straddles = [5, 10]\n');
  expect(text).toContain('seats = [2, 1]\n');
  expect(actions(text)).toEqual(['p2 cbr 30', 'p1 cbr 300', 'p2 cc', 'p1 sm QsQd', 'p2 sm AhKd']);
  expect(text).toContain('"d db 2h3d4s",\n  "d db 9c",\n  "d db Jh",\n');
});

test('writes a call of the whole big blind over a short post as a raise', () => {
  const text = phhOf(
    game({
      names: ['ann', 'bob', 'cy'],
      stacks: [1000, 1000, 7],
      final: [990, 1017, 0],
      hands: { 0: ['Ah', 'Kd'], 1: ['Qs', 'Qd'], 2: ['2c', '7d'] },
      button: 0,
      board: ['2h', '3d', '4s'],
      streets: ['1 RAISE 5, 2 ALL IN 7, 0 CALL 10, 1 CALL 5', '1 RAISE 20, 0 FOLD 0'],
    }),
    1,
    'm',
  );
  expect(text).toContain('min_bet = 1\n');
  expect(actions(text).slice(0, 4)).toEqual(['p3 cbr 10', 'p1 cc', 'p1 cbr 20', 'p3 f']);
});

test('shows no cards of a hand that ends with a fold', () => {
  const text = phhOf(
    game({
      names: ['ann', 'bob'],
      stacks: [1000, 1000],
      final: [995, 1005],
      hands: { 0: ['Ah', 'Kd'], 1: ['Qs', 'Qd'] },
      button: 0,
      streets: ['0 RAISE 5, 1 RAISE 10, 0 FOLD 0'],
    }),
    1,
    'm',
  );
  expect(actions(text)).toEqual(['p2 f']);
});

test('writes a raise over a short stack that can still call a part of it as a raise', () => {
  const text = phhOf(
    game({
      names: ['ann', 'bob'],
      stacks: [1000, 100],
      final: [1100, 0],
      hands: { 0: ['Ah', 'Kd'], 1: ['Qs', 'Qd'] },
      button: 0,
      board: ['2h', '3d', '4s', '9c', 'Ac'],
      streets: ['0 RAISE 5, 1 RAISE 10, 0 CALL 5, 1 RAISE 50, 0 RAISE 190, 1 ALL IN 40'],
    }),
    1,
    'm',
  );
  expect(actions(text).slice(0, 4)).toEqual(['p2 cc', 'p1 cbr 60', 'p2 cbr 200', 'p1 cc']);
});
