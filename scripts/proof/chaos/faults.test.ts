import { expect, test } from 'vitest';
import { createSchedule, describeFault } from './faults.ts';

const kindsOf = (seed: number, steps: number) =>
  new Set(createSchedule(seed, steps).flatMap(({ faults }) => faults.map(({ kind }) => kind)));

test('returns the same schedule for the same seed, independent of its length', () => {
  expect(createSchedule(7, 50)).toEqual(createSchedule(7, 200).slice(0, 50));
  expect(createSchedule(7, 50)).not.toEqual(createSchedule(8, 50));
});

test('the schedule of make chaos-ci has every kind of fault, alone and in pairs', () => {
  expect(kindsOf(1609, 10)).toEqual(new Set(['kill', 'stop', 'cut', 'half-open', 'clock']));
  expect(new Set(createSchedule(1609, 10).map(({ faults }) => faults.length))).toEqual(new Set([1, 2]));
});

test('describes a fault', () => {
  expect(describeFault({ kind: 'kill', target: 'nats' })).toBe('kill nats');
  expect(describeFault({ kind: 'cut', link: 'auth nats' })).toBe('cut auth to nats');
  expect(describeFault({ kind: 'half-open', link: 'client gateway', ms: 10 })).toBe(
    'half-open client to gateway for 10 ms',
  );
  expect(describeFault({ kind: 'clock', target: 'auth', aheadS: -5, ms: 10 })).toBe('clock auth 5 s behind for 10 ms');
});
