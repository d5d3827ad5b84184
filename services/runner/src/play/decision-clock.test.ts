import { describe, expect, it } from 'vitest';
import { DecisionClock, maxStepMs } from './decision-clock.ts';

const start = {
  limitMs: 1000,
  nowMs: 120,
  elapsedMs: 120,
  times: { cpuMs: 500, waitMs: 50 },
  since: { cpuMs: 110, waitMs: 0 },
};
const asleep = { ...start, since: { cpuMs: 0, waitMs: 0 } };

describe('the clock of a decision', () => {
  it('counts processor time', () => {
    const clock = new DecisionClock(start);
    expect(clock.usedMs).toBe(110);
    clock.sample(160, { cpuMs: 540, waitMs: 50 });
    expect(clock.usedMs).toBe(150);
    clock.sample(2000, { cpuMs: 1390, waitMs: 50 });
    expect(clock.expired).toBe(true);
  });

  it('counts at most the elapsed time for processor time used before the first sample', () => {
    expect(new DecisionClock({ ...start, since: { cpuMs: 5000, waitMs: 0 } }).usedMs).toBe(120);
  });

  it('expires for a sleeping bot after three times the limit', () => {
    const clock = new DecisionClock(asleep);
    let now = 120;
    while (!clock.expired) {
      now += 50;
      clock.sample(now, start.times);
    }
    expect(now).toBeGreaterThanOrEqual(3000);
    expect(now).toBeLessThan(3060);
  });

  it('does not count time for which the machine stood still', () => {
    const clock = new DecisionClock(asleep);
    clock.sample(60_000, start.times);
    expect(clock.usedMs).toBeCloseTo((120 + maxStepMs) / 3);
  });

  it('does not count wall time for which the seat waited for a processor', () => {
    const clock = new DecisionClock(asleep);
    for (let step = 1; step <= 100; step++)
      clock.sample(120 + 50 * step, { cpuMs: 500 + step, waitMs: 50 + 49 * step });
    expect(clock.usedMs).toBe(100);
    expect(new DecisionClock({ ...asleep, since: { cpuMs: 0, waitMs: 90 } }).usedMs).toBeCloseTo(10);
  });
});
