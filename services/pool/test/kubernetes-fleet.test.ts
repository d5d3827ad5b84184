import { refusal } from '@husky/testkit/refusal';
import type { V1PodStatus } from '@kubernetes/client-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KubernetesFleet } from '../src/fleet/kubernetes-fleet.ts';
import { deploymentRef, type KubernetesApi } from './kubernetes-api.ts';
import {
  asAdmin,
  eventually,
  type LaunchedPool,
  launchPool,
  log,
  startKubernetesApi,
  type TestWorld,
  testWorld,
} from './launch-pool.ts';

let api: KubernetesApi;
let world: TestWorld;
let pool: LaunchedPool;
let fleet: KubernetesFleet;

beforeEach(async () => {
  world = await testWorld();
  api = await startKubernetesApi(world);
});
afterEach(async () => {
  await pool?.stop();
  await api.stop();
  await world.stop();
});

/** Starts a pool whose runners are pods. Changes that no watch event reports appear with a list after `resyncMs` (default: an hour). */
async function launch(
  options: { resyncMs?: number; callMs?: number; startMs?: number; maxSize?: number } = {},
): Promise<void> {
  fleet = new KubernetesFleet({
    ...deploymentRef,
    config: api.config(),
    labelSelector: 'app=runner',
    log,
    now: Date.now,
    resyncMs: options.resyncMs ?? 3_600_000,
    callMs: options.callMs ?? 5000,
  });
  const config = { kubernetes: deploymentRef, maxSize: options.maxSize ?? 6 };
  pool = await launchPool(world, { config, fleet, startMs: options.startMs ?? 10_000 });
}

const containers = async () => (await pool.client.getStatus({}, asAdmin)).containers;
const states = async () => (await containers()).map(({ containerName, state }) => `${containerName} ${state}`);
const idle = (...numbers: number[]) => numbers.map((number) => `husky-runner-${number} idle`);
const showing = (expected: string[]) => eventually(async () => expect((await states()).sort()).toEqual(expected));
const scale = (targetSize: number) => pool.client.scale({ targetSize }, asAdmin);
const ended = () =>
  eventually(async () => {
    const [job] = (await pool.client.listScalingJobs({}, asAdmin)).jobs;
    expect(job?.completedAt).toMatch(/^2/);
    return job;
  });
const view = async () => (await pool.client.getAutoscaling({}, asAdmin)).view;

test('scales pods through the scale subresource and marks idle ones for deletion first', async () => {
  await launch();
  await showing(idle(1, 2, 3));
  await scale(5);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 5 });
  for (const name of ['husky-runner-1', 'husky-runner-4'])
    world.simulation.runners.set(name, { state: 'ACTIVE', cordoned: false });
  await scale(3);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 3 });
  expect(api.podNames).toEqual(expect.arrayContaining(['husky-runner-1', 'husky-runner-4']));
  const [first] = await containers();
  const { logContent } = await pool.client.getRunnerLog({ port: first?.port ?? 0 }, asAdmin);
  expect(logContent).toBe(
    `dealer | dealer of ${first?.containerName} is up\nseats | seats of ${first?.containerName} is up\n`,
  );
});

test('marks the pods that stay when they are fewer, and keeps to the choice of each change', async () => {
  await launch({ maxSize: 20 });
  await showing(idle(1, 2, 3));
  await scale(20);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 20 });
  const busy = ['husky-runner-2', 'husky-runner-9', 'husky-runner-17'];
  for (const name of busy) world.simulation.runners.set(name, { state: 'ACTIVE', cordoned: false });
  await scale(3);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 3 });
  expect(api.podNames.sort()).toEqual(busy.toSorted());
  expect(api.seen.filter((verb) => verb === 'patch').length).toBe(3);

  await scale(5);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 5 });
  // The pods that were marked to stay are now chosen to leave.
  for (const [name, runner] of world.simulation.runners) {
    world.simulation.runners.set(name, { ...runner, state: busy.includes(name) ? 'IDLE' : 'ACTIVE' });
  }
  await scale(3);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 3 });
  expect(api.podNames).toEqual(expect.arrayContaining(['husky-runner-21', 'husky-runner-22']));
});

test('lists again after an expired watch (410) and resumes a closed one', async () => {
  await launch();
  await showing(idle(1, 2, 3));
  await eventually(() => expect(api.watchers).toBe(1));
  api.forgetHistory();
  api.setStatus('husky-runner-2', { phase: 'Running' });
  await showing(['husky-runner-1 idle', 'husky-runner-2 starting', 'husky-runner-3 idle']);
  await eventually(() => expect(api.watchers).toBe(1));
  api.cutWatches();
  api.allReady();
  await showing(idle(1, 2, 3));
});

test('lists again when the version of a resumed watch has expired', async () => {
  await launch();
  await showing(idle(1, 2, 3));
  await eventually(() => expect(api.watchers).toBe(1));
  api.cutWatches();
  api.setStatus('husky-runner-2', { phase: 'Running' });
  api.forgetHistory();
  await showing(['husky-runner-1 idle', 'husky-runner-2 starting', 'husky-runner-3 idle']);
});

test('reports an API server that does not respond, and recovers', async () => {
  await launch({ callMs: 1000, resyncMs: 50 });
  await showing(idle(1, 2, 3));
  api.hangs = true;
  api.cutWatches();
  await eventually(async () =>
    expect((await view())?.reason).toBe(
      'Nothing can be decided: the pods are not known: the Kubernetes API did not answer in time',
    ),
  );
  expect(await states()).toEqual(expect.arrayContaining(idle(1, 2, 3)));
  await scale(4);
  expect(await ended()).toMatchObject({
    status: 'Failed',
    errorMessage: 'husky-runner cannot be scaled: the Kubernetes API did not answer in time',
  });
  api.hangs = false;
  await scale(5);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 5 });
  await eventually(async () => expect((await view())?.reason).toContain('No backlog'));
});

test('reports missing rights on the page and in the job', async () => {
  const message = 'pods is forbidden: User "pool" cannot list resource "pods"';
  api.refusals.set('list', { code: 403, message });
  await launch({ resyncMs: 50 });
  await eventually(async () =>
    expect(await refusal(containers())).toBe(
      `UNAVAILABLE pods-unknown: The pods are not known: the Kubernetes API refuses the pool this right (403): ${message}`,
    ),
  );
  api.refusals.clear();
  await showing(idle(1, 2, 3));
  api.refusals.set('write-scale', { code: 403, message: 'cannot update resource "deployments/scale"' });
  await scale(4);
  expect(await ended()).toMatchObject({
    status: 'Failed',
    errorMessage:
      'husky-runner cannot be scaled: the Kubernetes API refuses the pool this right (403): cannot update resource "deployments/scale"',
  });
  api.refusals.clear();
  await scale(4);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 4 });
});

test('keeps the page current by lists without the right to watch', async () => {
  api.refusals.set('watch', { code: 403, message: 'cannot watch resource "pods"' });
  await launch({ resyncMs: 50 });
  await showing(idle(1, 2, 3));
  api.setStatus('husky-runner-3', { phase: 'Pending' });
  await showing(['husky-runner-1 idle', 'husky-runner-2 idle', 'husky-runner-3 starting']);
});

test('serves while the API is unreachable at its start, and resumes later', async () => {
  await api.stop();
  await launch({ resyncMs: 50 });
  await eventually(async () =>
    expect(await refusal(containers())).toMatch(/^UNAVAILABLE pods-unknown: .*the Kubernetes API cannot be reached/),
  );
  expect(await refusal(scale(4))).toMatch(/^UNAVAILABLE pods-unknown: /);
  await api.start();
  await showing(idle(1, 2, 3));
  await api.stop();
  await eventually(async () =>
    expect((await view())?.reason).toMatch(/^Nothing can be decided: the pods are not known: .* cannot be reached/),
  );
  await api.start();
  await scale(4);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 4 });
});

test('reports pods refused by a quota in the job, and stops autoscaling until they fit', async () => {
  await launch({ startMs: 300 });
  await showing(idle(1, 2, 3));
  api.quota = 4;
  world.simulation.backlog = { jobs: 50, hands: 5000 };
  await pool.client.setAutoscaling({ enabled: true }, asAdmin);
  const words =
    'the cluster has not made this pod: a quota, a LimitRange or another admission rule of its namespace may refuse it';
  expect(await ended()).toMatchObject({
    status: 'Failed',
    userId: '',
    targetSize: 5,
    errorMessage: `1 runner(s) did not become ready within 0.3 s: unmade-1: ${words}`,
  });
  await eventually(async () =>
    expect(await view()).toMatchObject({
      state: 'stopped',
      reason: `Backlog 5,000 hands, 100 hands/s a runner: wants 5; stopped while runners do not come up: unmade-1: ${words}.`,
    }),
  );
  world.simulation.backlog = { jobs: 50, hands: 6000 };
  await eventually(async () => expect(await view()).toMatchObject({ state: 'stopped', desiredSize: 6 }));
  expect(api.replicas).toBe(5);
  api.quota = 100;
  api.reconcile();
  await eventually(() => expect(api.replicas).toBe(6));
});

const waiting = (reason: string, message: string, rest: object = {}): V1PodStatus => ({
  phase: 'Pending',
  containerStatuses: [
    {
      name: 'dealer',
      image: 'husky/dealer:9',
      imageID: '',
      ready: false,
      restartCount: 4,
      state: { waiting: { reason, message } },
      ...rest,
    },
  ],
});

test.each<[string, V1PodStatus, string]>([
  [
    'no node has room',
    {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes: Insufficient cpu.' },
      ],
    },
    'no node can take it: 0/1 nodes: Insufficient cpu.',
  ],
  [
    'its image does not exist',
    waiting('ImagePullBackOff', 'Back-off pulling image "husky/dealer:9"'),
    'the image husky/dealer:9 of dealer cannot be had: Back-off pulling image "husky/dealer:9"',
  ],
  [
    'it ends again and again',
    waiting('CrashLoopBackOff', 'back-off 40s', { lastState: { terminated: { exitCode: 1, reason: 'Error' } } }),
    'dealer ends again and again (Error, exit code 1), 4 restarts; its log says why',
  ],
])(
  'reports a pod that does not come up because %s in the job, and stops autoscaling until it does',
  async (_case, status, words) => {
    await launch({ startMs: 300 });
    await showing(idle(1, 2, 3));
    api.statusOfNew = () => status;
    world.simulation.backlog = { jobs: 50, hands: 4000 };
    await pool.client.setAutoscaling({ enabled: true }, asAdmin);
    expect(await ended()).toMatchObject({
      status: 'Failed',
      targetSize: 4,
      errorMessage: `1 runner(s) did not become ready within 0.3 s: husky-runner-4: ${words}`,
      waitingReason: '',
    });
    const failing = (await containers()).find(({ containerName }) => containerName === 'husky-runner-4');
    expect(failing).toMatchObject({ state: 'starting', reason: words, since: expect.stringMatching(/^2/) });
    const { logContent } = await pool.client.getRunnerLog({ port: failing?.port ?? 0 }, asAdmin);
    if (!words.includes('ends again')) expect(logContent).toContain(`pool | dealer has not started: ${words}`);
    world.simulation.backlog = { jobs: 50, hands: 6000 };
    await eventually(async () =>
      expect((await view())?.reason).toContain(`stopped while runners do not come up: husky-runner-4: ${words}`),
    );
    expect(api.replicas).toBe(4);
    api.allReady();
    await eventually(() => expect(api.replicas).toBe(6));
  },
);
