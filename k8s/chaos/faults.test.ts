import { expect, test } from 'vitest';
import { describeFault, kinds, scheduleOf, sortOf } from './faults.ts';

test('the short run of make kube-test-full has every kind of fault that one node can have', () => {
  const faults = scheduleOf(506, 8).flatMap((step) => step.faults);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(kinds.filter((kind) => kind !== 'cut-node')));
});

test('cuts off a node within 50 steps', () => {
  expect(scheduleOf(1, 50).flatMap((step) => step.faults.map(({ kind }) => kind))).toContain('cut-node');
});

test('adds up the services, of which there are two, and nothing else', () => {
  expect(sortOf({ kind: 'kill', target: 'live-data' })).toBe('kill service');
  expect(sortOf({ kind: 'delete', target: 'postgres' })).toBe('delete postgres');
  expect(sortOf({ kind: 'etcd', ms: 10 })).toBe('etcd');
});

test('describes a fault', () => {
  expect(describeFault({ kind: 'stop', target: 'seats', ms: 1500 })).toBe('stop seats for 1500 ms');
});
