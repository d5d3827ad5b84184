import { expect, test } from 'vitest';
import { HandRate } from './rate.ts';

test('the speed is that of the last seconds, not of the whole match', () => {
  const rate = new HandRate(0, 5000);
  rate.add(10_000, 10);
  for (let second = 11; second <= 20; second++) rate.add(second * 1000, 10 + (second - 10) * 100);
  expect(rate.handsPerSecond).toBeCloseTo(100);
  expect(rate.secondsLeft(1510)).toBeCloseTo(5);
});

test('nothing is promised before the first hand', () => {
  const rate = new HandRate(1000);
  rate.add(2000, 0);
  expect(rate.handsPerSecond).toBe(0);
  expect(rate.secondsLeft(1000)).toBe(0);
});
