import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { describePod, isOver, portOf, problemOf } from './kubernetes-runner.ts';

const created = new Date(Date.UTC(2026, 0, 1));
const pod = (status: V1Pod['status'], deletionTimestamp?: Date): V1Pod => ({
  metadata: {
    name: 'husky-runner-abc',
    uid: 'u-1',
    creationTimestamp: created,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  },
  ...(status === undefined ? {} : { status }),
});
const container = (state: V1ContainerStatus['state'], rest: Partial<V1ContainerStatus> = {}): V1ContainerStatus => ({
  name: 'dealer',
  image: 'husky/dealer:1',
  imageID: '',
  ready: false,
  restartCount: 2,
  ...(state === undefined ? {} : { state }),
  ...rest,
});

test('maps readiness to running and starting, and deletion to stopping', () => {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  expect(describePod(pod(ready), 10_001, false)).toEqual({
    name: 'husky-runner-abc',
    port: 10_001,
    phase: 'running',
    startedAtMs: created.getTime(),
    problem: '',
  });
  expect(describePod(pod({}), 10_001, false).phase).toBe('starting');
  expect(describePod(pod(ready, new Date()), 10_001, false).phase).toBe('stopping');
  expect(describePod(pod(ready), 10_001, true).phase).toBe('stopping');
});

test('reads the text times of a watch event', () => {
  const received = JSON.parse(JSON.stringify(pod({}))) as V1Pod;
  expect(describePod(received, 10_001, false).startedAtMs).toBe(created.getTime());
});

test("reports an unschedulable pod with the scheduler's message", () => {
  const conditions = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes: Insufficient cpu.' },
  ];
  expect(problemOf(pod({ conditions }))).toBe('no node can take it: 0/1 nodes: Insufficient cpu.');
});

test('reports a missing image, a crash loop and a bad configuration with the container', () => {
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

test('reports a running container that is not ready, unless it has just started', () => {
  const running = container({ running: { startedAt: created } });
  expect(problemOf(pod({ containerStatuses: [{ ...running, started: false }] }))).toBe('');
  expect(problemOf(pod({ containerStatuses: [{ ...running, started: true }] }))).toBe(
    'dealer runs and is not ready; its log says why',
  );
});

test('treats an evicted pod as ended', () => {
  expect(isOver(pod({ phase: 'Failed', reason: 'Evicted' }))).toBe(true);
  expect(isOver(pod({ phase: 'Running' }))).toBe(false);
});

test('gives each pod a stable number of its own', () => {
  const port = portOf('u-1', new Set());
  expect(portOf('u-1', new Set())).toBe(port);
  expect(portOf('u-1', new Set([port]))).not.toBe(port);
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(60_000);
});
