import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

interface Replica extends LaunchedPool {
  readonly fleet: KubernetesFleet;
}

// Two services start and stop in each test.
vi.setConfig({ testTimeout: 90_000 });

let api: KubernetesApi;
let world: TestWorld;
const replicas: Replica[] = [];
// Short enough for a quick takeover, and long enough for a leader on a busy machine to renew its lease.
const lease = { durationMs: 6000, renewMs: 4000, retryMs: 100 };

beforeEach(async () => {
  world = await testWorld();
  api = await startKubernetesApi(world);
});
afterEach(async () => {
  api.cutOff.clear();
  for (const replica of replicas.splice(0)) await replica.stop();
  await api.stop();
  await world.stop();
});

/** Starts a replica of the pool. `token` distinguishes its requests to the API server. */
async function launch(token: string): Promise<Replica> {
  const config = api.config(token);
  const fleet = new KubernetesFleet({
    ...deploymentRef,
    config,
    lease,
    log,
    labelSelector: 'app=runner',
    now: Date.now,
    resyncMs: 200,
    callMs: 2000,
  });
  const pool = await launchPool(world, { config: { kubernetes: deploymentRef }, fleet, startMs: 20_000 });
  const replica = { ...pool, fleet };
  replicas.push(replica);
  return replica;
}

const leads = (replica: Replica) => eventually(() => expect(replica.fleet.leadership.leading).toBe(true));
const scale = (replica: Replica, targetSize: number) => replica.client.scale({ targetSize }, asAdmin);
const ended = (replica: Replica) =>
  eventually(async () => {
    const [job] = (await replica.client.listScalingJobs({}, asAdmin)).jobs;
    expect(job?.completedAt).toMatch(/^2/);
    return job;
  });

/** Starts two replicas, of which the first leads. */
async function two(): Promise<[Replica, Replica]> {
  const first = await launch('first');
  await leads(first);
  return [first, await launch('second')];
}

test('one of two replicas leads; both return the same state, and a change requested from either is carried out', async () => {
  const [first, second] = await two();
  await eventually(async () => {
    const [one, other] = await Promise.all([first, second].map(({ client }) => client.getStatus({}, asAdmin)));
    expect(other).toEqual(one);
    expect(one?.containers).toHaveLength(3);
  });
  await scale(second, 5);
  expect(await ended(first)).toMatchObject({ status: 'Finished', currentSize: 5 });
  await scale(first, 4);
  expect(await ended(second)).toMatchObject({ status: 'Finished', currentSize: 4 });
  expect(second.fleet.leadership.leading).toBe(false);
  expect(api.replicas).toBe(4);
});

test('a leader that stops hands over at once, and its successor finishes the job in progress', async () => {
  const [first, second] = await two();
  api.statusOfNew = () => ({ phase: 'Pending' });
  await scale(first, 5);
  await eventually(() => expect(api.replicas).toBe(5));
  await first.stop();
  await leads(second);
  api.allReady();
  expect(await ended(second)).toMatchObject({ status: 'Finished', currentSize: 5 });
  expect(api.replicas).toBe(5);
});

test('a leader uncordons the runners that a lost one had chosen to stop, and that it keeps', async () => {
  const { runners } = world.simulation;
  const first = await launch('first');
  await leads(first);
  await scale(first, 5);
  await ended(first);
  const set = (names: Iterable<string>, change: { state: 'IDLE' | 'ACTIVE'; cordoned: boolean }) => {
    for (const name of names) runners.set(name, change);
  };
  const cordoned = () => [...runners.keys()].filter((name) => runners.get(name)?.cordoned);
  set(api.podNames, { state: 'ACTIVE', cordoned: false });
  await scale(first, 3);
  await eventually(() => expect(cordoned()).toHaveLength(2));
  const chosen = cordoned();
  await first.stop();
  // A killed process leaves them cordoned. Its successor chooses other ones, because these are still playing.
  set(api.podNames, { state: 'IDLE', cordoned: false });
  set(chosen, { state: 'ACTIVE', cordoned: true });
  const second = await launch('second');
  expect(await ended(second)).toMatchObject({ status: 'Finished', currentSize: 3 });
  expect(api.podNames).toEqual(expect.arrayContaining(chosen));
  await eventually(() => expect(cordoned()).toEqual([]));
});

test('a leader without the API server is replaced when its lease ends, and changes nothing afterwards', async () => {
  const [first, second] = await two();
  api.statusOfNew = () => ({ phase: 'Pending' });
  await scale(first, 5);
  await eventually(() => expect(api.replicas).toBe(5));
  api.cutOff.add('first');
  await leads(second);
  expect(first.fleet.leadership.leading).toBe(false);
  api.cutOff.clear();
  // The old leader still tries to carry out its open job, although it has lost the lease.
  await expect(first.fleet.start(1, 6)).rejects.toThrow('this replica of the pool does not lead');
  api.allReady();
  expect(await ended(first)).toMatchObject({ status: 'Finished', currentSize: 5 });
  expect(api.replicas).toBe(5);
  expect(api.leases.holder).not.toBe('');
});

test('two leaders that carry out one job do not count it twice', async () => {
  const [first, second] = await two();
  await second.fleet.runners();
  const lead = { value: true, configurable: true };
  Object.defineProperty(second.fleet.leadership, 'leading', lead);
  await Promise.all([first, second].map(({ fleet }) => fleet.start(2, 5)));
  expect(api.replicas).toBe(5);
  await Promise.all([first, second].map(({ fleet }) => fleet.stop(api.podNames.slice(0, 2), 4)));
  expect(api.replicas).toBe(4);
});

test('a scaling job fails with the reason while the lease cannot be written', async () => {
  const message = 'leases.coordination.k8s.io is forbidden';
  api.refusals.set('lease', { code: 403, message });
  const replica = await launch('first');
  await eventually(() => expect(replica.fleet.leadership.problem).toContain('403'));
  await scale(replica, 4);
  expect(await ended(replica)).toMatchObject({
    status: 'Failed',
    errorMessage: `the fleet cannot be changed: the Kubernetes API refuses the pool this right (403): ${message}`,
  });
  api.refusals.clear();
  await leads(replica);
  // The requested size stays.
  await eventually(() => expect(api.replicas).toBe(4));
});
