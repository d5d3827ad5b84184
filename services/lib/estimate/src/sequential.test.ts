import { describe, expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { compareRates, confidenceSequence, type TableBounds, type TableSum } from './sequential.ts';

const stack = 10_000;
/** Classic matches of six players and up to 1,000 hands. */
const bounds: TableBounds = { loss: stack, gain: 5 * stack, minHands: 1, maxHands: 1000 };
const even: TableBounds = { ...bounds, minHands: 1000 };
const full = (winnings: readonly number[]) => winnings.map((one) => ({ winnings: one, hands: 1000 }));
const repeat = (count: number, winnings: number) => full(new Array<number>(count).fill(winnings));

/** A gambler's matches: +48,000 with a small probability, otherwise the stack is lost. */
const gamble = (random: () => number, chance: number, tables: number) =>
  full(Array.from({ length: tables }, () => (random() < chance ? 48_000 : -stack)));

describe('a confidence sequence', () => {
  test('has bounds where bets have multiplied their capital by 2 / alpha', () => {
    const alpha = 0.05;
    const shares = Array.from({ length: 12 }, (_, index) => ((index + 1) / 12) ** 2);
    // Who always loses the stack. Against a rate above, stakes are shares of the largest win; those that could lose more than all are 0.
    const capital = (rate: number) =>
      shares
        .filter((share) => share * (bounds.gain - 10 * rate) <= bounds.gain)
        .reduce((sum, share) => sum + (1 + (share / bounds.gain) * (10 * rate + stack)) ** 40, 0) / shares.length;
    const { low, high } = confidenceSequence(repeat(40, -stack), even, alpha).at(-1) ?? { low: 0, high: 0 };
    expect(low).toBeCloseTo((-100 * stack) / 1000, 8);
    expect(capital(high)).toBeGreaterThanOrEqual(2 / alpha);
    expect(capital(high - 0.002 * (high - low))).toBeLessThan(2 / alpha);
  });

  test('after one table is what one bet allows', () => {
    // The stakes add up to 650 / 144: 12 + 650 / 144 (3 stacks - rate * hands) / stack reaches 12 * 2 / alpha.
    const [{ low, high } = { low: 0, high: 0 }] = confidenceSequence(full([3 * stack]), even, 0.9);
    const expected = (3 - ((24 / 0.9 - 12) * 144) / 650) * 1000;
    expect(low).toBeLessThanOrEqual(expected);
    expect(low).toBeGreaterThan(expected - 0.001 * (high - low + 1000));
    expect(high).toBe((100 * 5 * stack) / 1000);
  });

  test('stays within the possible range and within its own former bounds', () => {
    const random = seededRandom(7);
    const tables = Array.from({ length: 300 }, (): TableSum => {
      const hands = 1 + Math.floor(999 * random());
      return { winnings: hands > 500 ? -stack : 5 * stack * random(), hands };
    });
    let before = { low: -100 * stack, high: 500 * stack };
    for (const step of confidenceSequence(tables, bounds, 0.05)) {
      expect(step.low).toBeGreaterThanOrEqual(before.low);
      expect(step.high).toBeLessThanOrEqual(before.high);
      expect(step.low).toBeLessThanOrEqual(step.high);
      before = step;
    }
  });

  test('is about winnings over hands, also where the mean of the rates of the tables has the other sign', () => {
    // A stack is won in each short match, and half a stack lost in each long one.
    const random = seededRandom(8);
    const tables = Array.from({ length: 400 }, (): TableSum => {
      const short = random() < 0.3;
      return short ? { winnings: stack, hands: 50 } : { winnings: -0.5 * stack, hands: 1000 };
    });
    const meanOfRates = tables.reduce((sum, { winnings, hands }) => sum + winnings / hands, 0) / tables.length;
    expect(meanOfRates).toBeGreaterThan(0);
    const { low, high } = confidenceSequence(tables, bounds, 0.05).at(-1) ?? { low: 0, high: 0 };
    const rate = (100 * stack * (0.3 - 0.7 * 0.5)) / (0.3 * 50 + 0.7 * 1000);
    expect(low).toBeLessThan(rate);
    expect(high).toBeGreaterThan(rate);
    expect(low).toBeGreaterThan(-200);
    expect(high).toBeLessThan(200);
  });

  test.each([0.16, 0.05, 0.01])('of a gambler with chance %f misses no more often than stated', (chance) => {
    const random = seededRandom(9);
    const rate = (58_000 * chance - stack) / 10;
    const courses = 200;
    let missed = 0;
    for (let course = 0; course < courses; course++) {
      const steps = confidenceSequence(gamble(random, chance, 50), bounds, 0.05);
      if (steps.some(({ low, high }) => low > rate || high < rate)) missed += 1;
    }
    expect(missed / courses).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / courses));
  });

  test('refuses what it has no bounds for', () => {
    expect(() => confidenceSequence([], bounds, 0)).toThrow('alpha must be between 0 and 1');
    expect(() => confidenceSequence([], { ...bounds, loss: 0 }, 0.05)).toThrow(
      'bounds of the winnings must be positive',
    );
    expect(() => confidenceSequence([], { ...bounds, maxHands: 0 }, 0.05)).toThrow('at least one hand');
    for (const winnings of [-stack - 1, 5 * stack + 1, Number.NaN]) {
      expect(() => confidenceSequence(full([winnings]), bounds, 0.05)).toThrow(
        `winnings of ${winnings} chips at a table are outside of -10000 to 50000`,
      );
    }
    for (const hands of [0, 1001]) {
      expect(() => confidenceSequence([{ winnings: 0, hands }], bounds, 0.05)).toThrow(
        `a table of ${hands} hands is outside of 1 to 1000`,
      );
    }
  });
});

describe('the comparison of two players', () => {
  const decisionAfter = (tables: number, one: number, other: number, margin: number | null = null) => {
    const [a, b] = [one, other].map((winnings) => confidenceSequence(repeat(tables, winnings), bounds, 0.025).at(-1));
    return a && b && compareRates(a, b, margin).decision;
  };

  test('decides once the intervals do not overlap, the same for either order', () => {
    expect(decisionAfter(12, 5 * stack, -stack)).toBe('continue');
    expect(decisionAfter(13, 5 * stack, -stack)).toBe('better');
    expect(decisionAfter(13, -stack, 5 * stack)).toBe('worse');
  });

  test('finds players equivalent whose difference lies within a margin, and without a margin never', () => {
    expect(decisionAfter(100, 0, 0, 500)).toBe('equivalent');
    expect(decisionAfter(100, 0, 0, 100)).toBe('continue');
    expect(decisionAfter(100, 0, 0)).toBe('continue');
    const interval = { low: -10, high: 20 };
    expect(compareRates(interval, interval, 30)).toEqual({ low: -30, high: 30, decision: 'continue' });
    expect(compareRates(interval, interval, 30.1).decision).toBe('equivalent');
    expect(compareRates(interval, { low: 20, high: 30 }, null).decision).toBe('continue');
  });
});
