import { expect, test } from 'vitest';
import { describeFault, scheduleOf } from './schedule.ts';

test('makes the same schedule from the same seed, whatever its length', () => {
  expect(scheduleOf(7, 50)).toEqual(scheduleOf(7, 200).slice(0, 50));
  expect(scheduleOf(7, 50)).not.toEqual(scheduleOf(8, 50));
});

test('has every kind of fault, alone and in pairs, within 200 steps', () => {
  const steps = scheduleOf(1, 200);
  const kinds = new Set(steps.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  expect([...kinds].sort()).toEqual([
    ...['cut-connections', 'full-disk', 'full-disk-in-checkpoint', 'immediate-shutdown', 'kill', 'lose-nats-disk'],
    ...['memory-pressure', 'network', 'restart', 'slow', 'stop'],
  ]);
  expect(new Set(steps.map(({ faults }) => faults.length))).toEqual(new Set([1, 2]));
});

test('describes a fault', () => {
  expect(describeFault({ kind: 'kill', target: 'nats' })).toBe('kill nats');
  expect(describeFault({ kind: 'network', link: 'auth nats', how: 'silent', ms: 10 })).toBe(
    'silent auth to nats for 10 ms',
  );
});
