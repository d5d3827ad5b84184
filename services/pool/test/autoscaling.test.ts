import { audited } from '@husky/contracts/events';
import { refusal } from '@husky/testkit/refusal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  asAdmin,
  eventually,
  type LaunchedPool,
  launchPool,
  type TestWorld,
  testWorld,
  userId,
} from './launch-pool.ts';

let world: TestWorld;
let pool: LaunchedPool;
beforeEach(async () => {
  world = await testWorld();
  for (let number = 1; number <= 6; number++)
    world.simulation.runners.set(`runner-${number}`, { state: 'IDLE', cordoned: false });
  pool = await launchPool(world);
});
afterEach(async () => {
  await pool.stop();
  await world.stop();
});

const read = () => pool.client.getAutoscaling({}, asAdmin);
const set = (change: object) => pool.client.setAutoscaling(change, asAdmin);
const view = async () => (await read()).view;
const size = async () => (await pool.client.getStatus({}, asAdmin)).containers.length;
const jobs = async () => (await pool.client.listScalingJobs({}, asAdmin)).jobs;
const sized = (expected: number) => eventually(async () => expect(await size()).toBe(expected));
const audits = async () => {
  const event = audited('pool');
  const { rows } = await world.database.admin.query<{ payload: Buffer }>('SELECT payload FROM outbox ORDER BY id');
  return rows
    .map((row) => event.decode(row.payload))
    .map(({ action, beforeJson, afterJson }) => [action, beforeJson, afterJson]);
};

test('is off by default and reports the desired size', async () => {
  world.simulation.backlog = { jobs: 50, hands: 5000 };
  await eventually(async () =>
    expect(await view()).toMatchObject({
      state: 'off',
      desiredSize: 5,
      backlogHands: 5000,
      handsPerSecond: 100,
      reason: 'Backlog 5,000 hands, 100 hands/s a runner: wants 5. Autoscaling is off.',
    }),
  );
  expect(await read()).toMatchObject({
    enabled: false,
    minimum: 3,
    maximum: 6,
    drainSeconds: 10,
    largestMaximum: 6,
    version: 1,
    updatedById: '',
  });
  expect(await jobs()).toEqual([]);
});

test('follows the backlog while it is on, with jobs that have a reason and no user', async () => {
  world.simulation.backlog = { jobs: 50, hands: 5000 };
  expect(await set({ enabled: true, expectedVersion: 1 })).toMatchObject({
    enabled: true,
    version: 2,
    updatedById: userId,
  });
  await sized(5);
  await eventually(async () => expect(await view()).toMatchObject({ state: 'steady', desiredSize: 5 }));
  world.simulation.backlog = { jobs: 0, hands: 0 };
  world.simulation.runners.set('runner-1', { state: 'ACTIVE', cordoned: false });
  await sized(3);
  await eventually(async () => expect(await jobs()).toMatchObject([{ status: 'Finished' }, { status: 'Finished' }]));
  expect(await jobs()).toMatchObject([
    {
      userId: '',
      fromSize: 5,
      targetSize: 3,
      reason: expect.stringContaining('No backlog (100 hands/s a runner lately): wants 3'),
    },
    {
      userId: '',
      fromSize: 3,
      targetSize: 5,
      reason: 'Backlog 5,000 hands, 100 hands/s a runner: wants 5; goes up from 3.',
    },
  ]);
  const { containers } = await pool.client.getStatus({}, asAdmin);
  expect(containers.map(({ containerName }) => containerName)).toContain('runner-1');
  expect((await audits()).map(([action]) => action)).toEqual(['pool.autoscaling_changed']);
});

test('is switched off by a manual scale; the audit log has both', async () => {
  await set({ enabled: true });
  world.simulation.backlog = { jobs: 50, hands: 5000 };
  await sized(5);
  const job = await pool.client.scale({ targetSize: 4 }, asAdmin);
  expect(job).toMatchObject({ userId, targetSize: 4, autoscalingEnded: true });
  await sized(4);
  await eventually(async () =>
    expect(await read()).toMatchObject({ enabled: false, version: 3, view: { state: 'off' } }),
  );
  const [first, ...rest] = await audits();
  expect(first).toEqual([
    'pool.autoscaling_changed',
    '{"enabled":false,"minimum":3,"maximum":6,"drain_seconds":10}',
    '{"enabled":true,"minimum":3,"maximum":6,"drain_seconds":10}',
  ]);
  expect(rest.map(([action]) => action)).toEqual(['pool.scaled', 'pool.autoscaling_changed']);
  expect(await pool.client.scale({ targetSize: 5 }, asAdmin)).toMatchObject({ autoscalingEnded: false });
});

test('refuses a change based on an old version, and invalid bounds', async () => {
  await set({ maximum: 5, expectedVersion: 1 });
  expect(await refusal(set({ enabled: true, expectedVersion: 1 }))).toBe(
    'ABORTED autoscaling-changed: Somebody else has changed autoscaling since you opened this page. Reload it first.',
  );
  expect(await refusal(set({ minimum: 6 }))).toMatch(
    /^INVALID_ARGUMENT .*The maximum must not be below the minimum\.$/,
  );
  expect(await refusal(set({ maximum: 7 }))).toMatch(/^INVALID_ARGUMENT .*The maximum must be at most 6\.$/);
  expect(await read()).toMatchObject({ enabled: false, minimum: 3, maximum: 5, version: 2 });
});

test('keeps its settings after a restart', async () => {
  await set({ enabled: true, drainSeconds: 60 });
  await pool.stop();
  world.simulation.backlog = { jobs: 50, hands: 24_000 };
  pool = await launchPool(world);
  await sized(4);
  expect(await read()).toMatchObject({ enabled: true, drainSeconds: 60, version: 2 });
});

test('stops while runners do not start, reports why, and resumes', async () => {
  await pool.stop();
  for (const name of ['runner-4', 'runner-5', 'runner-6']) world.simulation.runners.delete(name);
  pool = await launchPool(world, { startMs: 300 });
  world.simulation.backlog = { jobs: 50, hands: 4000 };
  await set({ enabled: true });
  await eventually(async () =>
    expect(await view()).toMatchObject({
      state: 'stopped',
      reason:
        'Backlog 4,000 hands, 100 hands/s a runner: wants 4; stopped while runners do not come up: runner-4: it has not asked for work yet, see its log.',
    }),
  );
  world.simulation.backlog = { jobs: 50, hands: 6000 };
  await eventually(async () => expect(await view()).toMatchObject({ state: 'stopped', desiredSize: 6 }));
  expect(await size()).toBe(4);
  for (const name of ['runner-4', 'runner-5', 'runner-6'])
    world.simulation.runners.set(name, { state: 'IDLE', cordoned: false });
  await sized(6);
});

test('stops while simulation is unavailable, reports it, and resumes', async () => {
  await set({ enabled: true });
  world.simulation.unavailable = true;
  world.simulation.backlog = { jobs: 50, hands: 6000 };
  await eventually(async () =>
    expect(await view()).toMatchObject({
      state: 'stopped',
      reason: 'Nothing can be decided: The simulation service is not available right now',
    }),
  );
  expect(await size()).toBe(3);
  world.simulation.unavailable = false;
  await sized(6);
});

test('decides also while uncordoning runners fails', async () => {
  await set({ enabled: true });
  await eventually(async () => expect(await view()).toMatchObject({ state: 'steady' }));
  world.simulation.keepsCordons = true;
  world.simulation.runners.set('runner-1', { state: 'IDLE', cordoned: true });
  const views = new Set<string | undefined>();
  await eventually(async () => {
    views.add((await view())?.state);
    expect(world.simulation.refusals).toBeGreaterThan(10);
  });
  expect([...views]).toEqual(['steady']);
});
