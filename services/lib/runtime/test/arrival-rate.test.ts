import { expect, test } from 'vitest';
import { createArrivalRate } from '../src/rpc/arrival-rate.ts';

test('averages the arrivals of the last whole window of 5 s, or of the current one if there are more', () => {
  let nowMs = 10_000;
  const arrivals = createArrivalRate(() => nowMs);
  const arrive = (count: number) => {
    for (let at = 0; at < count; at++) arrivals.record();
  };
  expect(arrivals.perSecond).toBe(0);
  arrive(25);
  expect(arrivals.perSecond).toBe(5);
  nowMs += 5000;
  arrive(10);
  expect(arrivals.perSecond).toBe(5);
  arrive(30);
  expect(arrivals.perSecond).toBe(8);
  nowMs += 10_000;
  expect(arrivals.perSecond).toBe(0);
});
