import { expect, test } from 'vitest';
import { createSchedule, describeFault, groupOf, kinds } from './faults.ts';

test('the short run of make kube-test-full contains every kind of fault that is possible on one node', () => {
  const faults = createSchedule(506, 8).flatMap((step) => step.faults);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(kinds.filter((kind) => kind !== 'cut-node')));
});

test('disconnects a node within 50 steps', () => {
  expect(createSchedule(1, 50).flatMap((step) => step.faults.map(({ kind }) => kind))).toContain('cut-node');
});

test('reports the faults of all services as one group', () => {
  expect(groupOf({ kind: 'kill', target: 'live-data' })).toBe('kill service');
  expect(groupOf({ kind: 'delete', target: 'postgres' })).toBe('delete postgres');
  expect(groupOf({ kind: 'etcd', ms: 10 })).toBe('etcd');
});

test('describes a fault', () => {
  expect(describeFault({ kind: 'stop', target: 'seats', ms: 1500 })).toBe('stop seats for 1500 ms');
});
