import { describe, expect, it } from 'vitest';
import { DecisionClock, longestStepMs } from './decision-clock.ts';

const start = { seat: 0, limitMs: 1000, nowMs: 120, elapsedMs: 120, cpuMs: 500, cpuSinceMs: 110, othersMs: 900 };

describe('the clock of a long decision', () => {
  it('counts processor time', () => {
    const clock = new DecisionClock(start);
    expect(clock.usedMs).toBe(110);
    clock.look(160, 540, 900);
    expect(clock.usedMs).toBe(150);
    clock.look(2000, 1390, 900);
    expect(clock.expired).toBe(true);
  });

  it('counts no more than has passed for what was used before it began', () => {
    expect(new DecisionClock({ ...start, cpuSinceMs: 5000 }).usedMs).toBe(120);
  });

  it('stops a sleeper at three times the limit', () => {
    const clock = new DecisionClock({ ...start, cpuSinceMs: 0 });
    let now = 120;
    while (!clock.expired) {
      now += 50;
      clock.look(now, 500, 900);
    }
    expect(now).toBeGreaterThanOrEqual(3000);
    expect(now).toBeLessThan(3060);
  });

  it('does not count time in which the machine stood still', () => {
    const clock = new DecisionClock({ ...start, cpuSinceMs: 0 });
    clock.look(60_000, 500, 900);
    expect(clock.usedMs).toBeCloseTo((120 + longestStepMs) / 3);
  });

  it('does not count wall time that other seats computed away', () => {
    const clock = new DecisionClock({ ...start, cpuSinceMs: 0 });
    for (let step = 1; step <= 100; step++) clock.look(120 + 50 * step, 500, 900 + 50 * step);
    expect(clock.usedMs).toBeCloseTo(40);
  });
});
