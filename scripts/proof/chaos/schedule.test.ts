import { expect, test } from 'vitest';
import { createSchedule, describeFault, kinds } from './machine-faults.ts';
import { filterKinds } from './schedule.ts';

test('returns the same schedule for the same seed, independent of its length', () => {
  expect(createSchedule(7, 50)).toEqual(createSchedule(7, 200).slice(0, 50));
  expect(createSchedule(7, 50)).not.toEqual(createSchedule(8, 50));
});

test('has every kind of fault, alone and in pairs, within 200 steps', () => {
  const steps = createSchedule(1, 200);
  const kinds = new Set(steps.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  expect([...kinds].sort()).toEqual([
    'client-network',
    'clock',
    'cut-connections',
    'full-disk',
    'full-disk-in-checkpoint',
    'immediate-shutdown',
    'kill',
    'lose-nats-disk',
    'memory-pressure',
    'network',
    'restart',
    'slow',
    'slow-runner',
    'stop',
  ]);
  const sizes = new Set(steps.map(({ faults }) => faults.length));
  for (const size of [1, 2, 3]) expect(sizes).toContain(size);
});

test("keeps the other faults of a seed as before clock faults, slow runners and the clients' network were added", () => {
  const described = filterKinds(createSchedule(20261123, 4), '-clock,-slow-runner,-client-network', kinds).map(
    ({ afterMs, faults }) => `${afterMs}: ${faults.map(describeFault).join(' and ')}`,
  );
  expect(described).toEqual([
    '1351: immediate-shutdown',
    '653: restart pool',
    '101: silent leaderboard to postgres for 991 ms',
    '525: cut leaderboard to simulation for 557 ms and full-disk-in-checkpoint for 1234 ms',
  ]);
});

test('selects kinds of faults', () => {
  const steps = createSchedule(1, 100);
  const kindsOf = (chosen: string) =>
    new Set(filterKinds(steps, chosen, kinds).flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  expect(kindsOf('clock,kill')).toEqual(new Set(['clock', 'kill']));
  expect(kindsOf('-kill')).not.toContain('kill');
  expect(kindsOf('-kill').size).toBe(13);
  expect(() => filterKinds(steps, 'clocks', kinds)).toThrow('KINDS must name kill, restart');
});

test('describes a fault', () => {
  expect(describeFault({ kind: 'kill', target: 'nats' })).toBe('kill nats');
  expect(describeFault({ kind: 'network', link: 'auth nats', how: 'silent', ms: 10 })).toBe(
    'silent auth to nats for 10 ms',
  );
  expect(describeFault({ kind: 'client-network', how: 'cut-in-message', ms: 10 })).toBe(
    'cut-in-message client to gateway for 10 ms',
  );
  expect(describeFault({ kind: 'clock', target: 'auth', aheadS: -5, ms: 10 })).toBe(
    'clock of auth 5 s behind for 10 ms',
  );
});
