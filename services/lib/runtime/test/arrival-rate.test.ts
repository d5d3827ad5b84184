import { expect, test } from 'vitest';
import { createArrivalRate } from '../src/arrival-rate.ts';

test('counts the arrivals of the last whole second, or of the current one if there are more', () => {
  let nowMs = 10_000;
  const arrivals = createArrivalRate(() => nowMs);
  const arrive = (count: number) => {
    for (let at = 0; at < count; at++) arrivals.record();
  };
  expect(arrivals.perSecond).toBe(0);
  arrive(5);
  expect(arrivals.perSecond).toBe(5);
  nowMs += 1000;
  arrive(2);
  expect(arrivals.perSecond).toBe(5);
  arrive(6);
  expect(arrivals.perSecond).toBe(8);
  nowMs += 2000;
  expect(arrivals.perSecond).toBe(0);
});
