import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { describePod, isOver, portOf, problemOf } from './kubernetes-runner.ts';

const created = new Date(Date.UTC(2026, 0, 1));
const pod = (status: V1Pod['status'], deletionTimestamp?: Date): V1Pod => ({
  metadata: {
    ...{ name: 'husky-runner-abc', uid: 'u-1', creationTimestamp: created },
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  },
  ...(status === undefined ? {} : { status }),
});
const container = (state: V1ContainerStatus['state'], rest: Partial<V1ContainerStatus> = {}): V1ContainerStatus => ({
  ...{ name: 'dealer', image: 'husky/dealer:1', imageID: '', ready: false, restartCount: 2 },
  ...(state === undefined ? {} : { state }),
  ...rest,
});

test('a ready pod runs, one without readiness starts, one that is deleted or told to go stops', () => {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  expect(describePod(pod(ready), 10_001, false)).toEqual({
    ...{ name: 'husky-runner-abc', port: 10_001, phase: 'running', startedAtMs: created.getTime(), problem: '' },
  });
  expect(describePod(pod({}), 10_001, false).phase).toBe('starting');
  expect(describePod(pod(ready, new Date()), 10_001, false).phase).toBe('stopping');
  expect(describePod(pod(ready), 10_001, true).phase).toBe('stopping');
});

test('a pod from a watch has its times as text', () => {
  const told = JSON.parse(JSON.stringify(pod({}))) as V1Pod;
  expect(describePod(told, 10_001, false).startedAtMs).toBe(created.getTime());
});

test('a pod that no node can take says so in the words of the scheduler', () => {
  const conditions = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes: Insufficient cpu.' },
  ];
  expect(problemOf(pod({ conditions }))).toBe('no node can take it: 0/1 nodes: Insufficient cpu.');
});

test('a missing image, a crash loop and a bad configuration are told with their container', () => {
  const pull = container({ waiting: { reason: 'ImagePullBackOff', message: 'not found' } });
  expect(problemOf(pod({ containerStatuses: [pull] }))).toBe(
    'the image husky/dealer:1 of dealer cannot be had: not found',
  );
  const crash = container(
    { waiting: { reason: 'CrashLoopBackOff' } },
    { lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
  );
  expect(problemOf(pod({ initContainerStatuses: [{ ...crash, name: 'seats' }] }))).toBe(
    'seats ends again and again (OOMKilled, exit code 137), 2 restarts; its log says why',
  );
  const config = container({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } });
  expect(problemOf(pod({ containerStatuses: [config] }))).toBe('dealer cannot be started: secret "x" not found');
});

test('a running container that is not ready is told, a fresh one is not', () => {
  const running = container({ running: { startedAt: created } });
  expect(problemOf(pod({ containerStatuses: [{ ...running, started: false }] }))).toBe('');
  expect(problemOf(pod({ containerStatuses: [{ ...running, started: true }] }))).toBe(
    'dealer runs and is not ready; its log says why',
  );
});

test('an evicted pod is over', () => {
  expect(isOver(pod({ phase: 'Failed', reason: 'Evicted' }))).toBe(true);
  expect(isOver(pod({ phase: 'Running' }))).toBe(false);
});

test('a pod keeps its number, and two never share one', () => {
  const port = portOf('u-1', new Set());
  expect(portOf('u-1', new Set())).toBe(port);
  expect(portOf('u-1', new Set([port]))).not.toBe(port);
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(60_000);
});
