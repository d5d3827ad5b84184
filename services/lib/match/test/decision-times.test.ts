import { expect, it } from 'vitest';
import { DECISION_BOUNDS_MS, decisionBucket, decisionPercentile } from '../src/decision-times.ts';

it('keeps the bounds of the buckets that stored reports have', () => {
  expect(DECISION_BOUNDS_MS).toEqual([0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]);
});

it('counts a time in the first bucket whose bound it does not exceed, longer ones in the last', () => {
  expect([0, 0.2, 0.201, 0.5, 10_000, 10_001].map(decisionBucket)).toEqual([0, 0, 1, 1, 14, 15]);
});

it('gives the upper bound of the bucket that contains the percentile, at most the longest time', () => {
  const counts = [50, 0, 45, 5];
  expect([0, 0.5, 0.51, 0.95, 0.96, 1].map((share) => decisionPercentile(counts, share, 1.7))).toEqual([
    0.2, 0.2, 1, 1, 1.7, 1.7,
  ]);
  const longer = [...new Array<number>(15).fill(0), 3];
  expect(decisionPercentile(longer, 0.5, 30_000)).toBe(30_000);
  expect(decisionPercentile([], 0.5, 0)).toBe(0);
});
