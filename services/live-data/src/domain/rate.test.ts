import { expect, test } from 'vitest';
import { HandRate } from './rate.ts';

test('computes the speed of the last seconds instead of the whole match', () => {
  const rate = new HandRate(0, 5000);
  rate.add(10_000, 10);
  for (let second = 11; second <= 20; second++) rate.add(second * 1000, 10 + (second - 10) * 100);
  expect(rate.handsPerSecond).toBeCloseTo(100);
  expect(rate.secondsLeft(1510)).toBeCloseTo(5);
});

test('reports no speed and no time left before the first hand', () => {
  const rate = new HandRate(1000);
  rate.add(2000, 0);
  expect(rate.handsPerSecond).toBe(0);
  expect(rate.secondsLeft(1000)).toBe(0);
});
