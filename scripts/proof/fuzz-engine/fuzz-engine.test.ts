import { evaluate7 } from '@husky/holdem/evaluate';
import { beforeAll, describe, expect, it } from 'vitest';
import { installPackages } from '../../python/packages.ts';
import { findPython } from '../../up/preflight.ts';
import { compareHands, shrinkHand } from './compare-hands.ts';
import { compareValues } from './compare-values.ts';
import type { OraclePython } from './oracle.ts';
import { describeHand, type HandId, type PlayedHand, parseHandId, playHand } from './random-hand.ts';

const interpreter = findPython(process.env.PYTHON);
const tooOld = interpreter.version === '3.10';
if (tooOld) console.log(`skipped: pokerkit needs Python 3.11 or newer, ${interpreter.path} is ${interpreter.version}`);

let python: OraclePython;
beforeAll(async () => {
  if (!tooOld) python = { path: interpreter.path, packages: await installPackages('peers', interpreter) };
}, 300_000);

const seed = 16;

describe.skipIf(tooOld)('the engine', () => {
  it('plays 8,000 random hands as pokerkit does', async () => {
    const comparison = await compareHands({ python, seed, hands: 8_000, workers: 2 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.hands).toBe(8_000);
    // pokerkit applies other rules in few hands, but each kind of them occurs.
    expect(comparison.compared).toBeGreaterThan(7_400);
    for (const [reason, count] of Object.entries(comparison.exceptions)) expect(count, reason).toBeGreaterThan(0);
  }, 300_000);

  it('ranks 200,000 random seven-card hands as eval7 does', async () => {
    const comparison = await compareValues(python, seed, 200_000);
    expect(comparison.differences).toEqual([]);
    expect(comparison.hands).toBe(200_000);
    expect(comparison.values).toBeGreaterThan(4600);
  }, 120_000);
});

/** Returns an engine with a fault: a function that plays a hand and returns it with `change` applied. */
const createFaultyEngine = (change: (hand: PlayedHand) => PlayedHand) => (id: HandId) => change(playHand(id));

const mapSteps = (hand: PlayedHand, change: (step: PlayedHand['steps'][number]) => object): PlayedHand => ({
  ...hand,
  steps: hand.steps.map((step) => ({ ...step, ...change(step) })),
});

describe.skipIf(tooOld)('the comparison', () => {
  it.each<[string, (hand: PlayedHand) => PlayedHand, RegExp]>([
    [
      'a minimum raise of one chip less',
      (hand) =>
        mapSteps(hand, ({ minRaise, toCall }) => ({ minRaise: minRaise > toCall + 1 ? minRaise - 1 : minRaise })),
      /smallest and largest raise/,
    ],
    [
      'a call that is too cheap',
      (hand) => mapSteps(hand, ({ toCall }) => ({ toCall: Math.max(0, toCall - 1) })),
      /chips to call/,
    ],
    [
      'an action by the wrong seat',
      (hand) => mapSteps(hand, ({ seat }) => ({ seat: (seat + 1) % hand.stacks.length })),
      /./,
    ],
    [
      'a folded seat that may win a pot',
      (hand) =>
        mapSteps(hand, ({ pots, seat, kind }) =>
          kind === 1 ? { pots: pots.map((pot) => ({ ...pot, eligible: [...pot.eligible, seat] })) } : {},
        ),
      /pots/,
    ],
    [
      'a chip paid to the wrong seat',
      (hand) => ({ ...hand, deltas: hand.deltas.map((chips, seat) => chips + (seat === 0 ? 1 : 0)) }),
      /results/,
    ],
    [
      'a dead small blind posted by the seat after it',
      (hand) => (hand.stacks[hand.smallBlindSeat] === 0 ? { ...hand, smallBlindSeat: hand.bigBlindSeat } : hand),
      /button, small blind and big blind/,
    ],
    [
      'a dead button moved to a player',
      (hand) => (hand.stacks[hand.button] === 0 ? { ...hand, button: hand.bigBlindSeat } : hand),
      /button, small blind and big blind/,
    ],
    ['a missing board card', (hand) => ({ ...hand, boardCards: Math.max(0, hand.boardCards - 1) }), /board cards/],
  ])(
    'reports %s',
    async (_, change, text) => {
      const { differences } = await compareHands({
        python,
        seed,
        hands: 200,
        workers: 1,
        play: createFaultyEngine(change),
      });
      expect(differences.length).toBeGreaterThan(0);
      expect(differences[0]?.difference).toMatch(text);
      expect(differences[0]?.id).toMatch(/^16:\d+$/);
    },
    60_000,
  );

  it('finds the smallest variant of a hand that still differs', async () => {
    // This engine returns wrong results for every hand with a fold.
    const play = createFaultyEngine((hand) =>
      hand.steps.some(({ kind }) => kind === 1) ? { ...hand, winnings: [], deltas: hand.deltas.map(() => 1) } : hand,
    );
    const { differences } = await compareHands({ python, seed, hands: 300, workers: 1, play });
    const ids = differences.map(({ id }) => parseHandId(id));
    // With two folds, one remains in the same hand with fewer players.
    const folds = (id: HandId) => play(id).steps.filter(({ kind }) => kind === 1).length;
    const large = ids.find((id) => folds(id) > 1 && (play(id).dealtIn.at(-1)?.length ?? 0) > 3) as HandId;
    const smaller = await shrinkHand({ python, play }, large);
    expect(smaller?.hand.stacks.filter((chips) => chips > 0).length).toBeLessThan(4);
    expect(smaller?.hand.steps.length).toBeLessThanOrEqual(play(large).steps.length);
    expect(play(parseHandId(smaller?.id as string))).toEqual(smaller?.hand);
    expect(describeHand(smaller?.hand as PlayedHand)).toContain('FOLD');
  }, 60_000);

  it('reports wrong values of an evaluator', async () => {
    const merged = await compareValues(python, seed, 20_000, (...cards) => Math.min(7000, evaluate7(...cards)));
    expect(merged.differences[0]).toMatch(/which eval7 splits/);
    const reversed = await compareValues(python, seed, 20_000, (...cards) => 7463 - evaluate7(...cards));
    expect(reversed.differences[0]).toMatch(/eval7 ranks them/);
  }, 60_000);
});

describe('the id of a hand', () => {
  it.each(['7:1234', '7:1234:0', '7:1234:2:03', '7:1234:all:3'])('%s always names the same hand', (text) => {
    expect(playHand(parseHandId(text)).id).toBe(text);
    expect(playHand(parseHandId(text))).toEqual(playHand(parseHandId(text)));
  });

  it.each(['', '7', '7:', 'x:1', '7:1:2:9', '7:1:2:3:4', '-1:2'])('%j is refused', (text) => {
    expect(() => parseHandId(text)).toThrow('is not the id of a hand');
  });
});
