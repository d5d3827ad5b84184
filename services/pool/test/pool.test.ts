import { simulationService } from '@husky/contracts/services';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { expectRunnersContract } from '@husky/testkit/contracts';
import { refusal } from '@husky/testkit/refusal';
import { testClient } from '@husky/testkit/servers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  admin,
  asAdmin,
  eventually,
  type LaunchedPool,
  launchPool,
  type TestWorld,
  testWorld,
  userId,
} from './launch-pool.ts';
import { testPrograms } from './programs.ts';
import { type FakeSimulation, startSimulation } from './simulation.ts';

let world: TestWorld;
let simulation: FakeSimulation;
let running: LaunchedPool;

beforeEach(async () => {
  world = await testWorld();
  simulation = world.simulation;
  for (const number of [1, 2, 3]) simulation.runners.set(`runner-${number}`, { state: 'IDLE', cordoned: false });
  running = await launchPool(world);
});
afterEach(async () => {
  await running.stop();
  await world.stop();
});

const states = async () =>
  (await running.client.getStatus({}, asAdmin)).containers.map(
    (one) => `${one.containerName} ${one.port} ${one.state}`,
  );
const newest = async () => (await running.client.listScalingJobs({}, asAdmin)).jobs[0];
const ended = () =>
  eventually(async () => {
    const job = await newest();
    expect(job?.completedAt).not.toBe('');
    return job;
  });

test("starts the fleet with its first size and lists each runner's state", async () => {
  simulation.runners.set('runner-2', { state: 'ACTIVE', cordoned: false });
  simulation.runners.delete('runner-3');
  await eventually(async () =>
    expect(await states()).toEqual(['runner-1 9001 idle', 'runner-2 9002 active', 'runner-3 9003 starting']),
  );
  expect(await running.client.getStatus({}, asAdmin)).toMatchObject({ poolSize: 3, targetSize: 3 });
});

test("the status contains each runner's sandbox, and none for a runner that has not reported one", async () => {
  const sandbox = { means: ['seccomp'], missing: [], lacking: ['own_uid: the host is not root'] };
  simulation.runners.set('runner-1', { state: 'IDLE', cordoned: false, totals: { sandbox } });
  await eventually(async () => {
    const { containers } = await running.client.getStatus({}, asAdmin);
    expect(containers.map((container) => container.sandbox)).toEqual([sandbox, null, null]);
  });
});

test('records a scale-up at once and finishes it when every runner has claimed', async () => {
  const job = await running.client.scale({ targetSize: 5 }, asAdmin);
  expect(job).toMatchObject({ status: 'Pending', fromSize: 3, targetSize: 5, userId, completedAt: '' });
  await eventually(async () => expect(await newest()).toMatchObject({ status: 'Running', currentSize: 3 }));
  for (const name of ['runner-4', 'runner-5']) simulation.runners.set(name, { state: 'IDLE', cordoned: false });
  expect(await ended()).toMatchObject({ id: job.id, status: 'Finished', currentSize: 5, errorMessage: '' });
});

test('scales down idle runners first and waits for a match to end', async () => {
  for (const number of [4, 5]) simulation.runners.set(`runner-${number}`, { state: 'IDLE', cordoned: false });
  await running.client.scale({ targetSize: 5 }, asAdmin);
  await ended();
  simulation.cordons.length = 0;
  for (const number of [1, 3, 4, 5]) simulation.runners.set(`runner-${number}`, { state: 'ACTIVE', cordoned: false });
  await running.client.scale({ targetSize: 3 }, asAdmin);
  await eventually(async () => expect((await states()).some((state) => state.startsWith('runner-2'))).toBe(false));
  expect(simulation.cordons).toEqual(['+runner-2', '+runner-5']);
  expect(await newest()).toMatchObject({ status: 'Running', currentSize: 4 });
  expect(await states()).toContain('runner-5 9005 active');
  simulation.runners.set('runner-5', { state: 'IDLE', cordoned: true });
  expect(await ended()).toMatchObject({ status: 'Finished', fromSize: 5, currentSize: 3 });
  expect(await states()).toEqual(['runner-1 9001 active', 'runner-3 9003 active', 'runner-4 9004 active']);
  expect(simulation.cordons.slice(2)).toEqual(['-runner-2', '-runner-5']);
});

test('hands back a match that does not end in time', async () => {
  await running.stop();
  running = await launchPool(world, { config: { drainMs: 100 } });
  simulation.runners.set('runner-4', { state: 'IDLE', cordoned: false });
  await running.client.scale({ targetSize: 4 }, asAdmin);
  await ended();
  for (const number of [1, 2, 3, 4]) simulation.runners.set(`runner-${number}`, { state: 'ACTIVE', cordoned: false });
  await running.client.scale({ targetSize: 3 }, asAdmin);
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 3 });
});

test('supersedes a change in progress by a newer one', async () => {
  const first = await running.client.scale({ targetSize: 6 }, asAdmin);
  const second = await running.client.scale({ targetSize: 3 }, asAdmin);
  expect(await ended()).toMatchObject({ id: second.id, status: 'Finished', currentSize: 3 });
  const { jobs, total } = await running.client.listScalingJobs({ status: 'Failed' }, asAdmin);
  expect(total).toBe(1);
  expect(jobs).toMatchObject([{ id: first.id, errorMessage: 'Superseded by a newer change to 3 runners.' }]);
  expect((await running.client.listScalingJobs({ q: second.id.slice(0, 11) }, asAdmin)).jobs).toMatchObject([
    { id: second.id },
  ]);
  expect((await running.client.listScalingJobs({ q: 'zz' }, asAdmin)).total).toBe(0);
  expect((await running.client.listScalingJobs({ page: 2, pageSize: 1 }, asAdmin)).jobs).toMatchObject([
    { id: first.id },
  ]);
});

test('fails the job with the reason when runners do not start', async () => {
  await running.stop();
  // A runner without a seat host does not claim.
  simulation.runners.clear();
  const programs = testPrograms({ seats: "console.error('no sandbox here'); process.exit(2);" });
  running = await launchPool(world, { programs });
  await running.client.scale({ targetSize: 4 }, asAdmin);
  const job = await ended();
  expect(job?.status).toBe('Failed');
  expect(job?.errorMessage).toMatch(
    /^4 runner\(s\) did not become ready within 4 s: runner-1: seats ended with code 2/,
  );
});

test('fails the job with a reason that quotes characters that PostgreSQL does not store', async () => {
  await running.stop();
  simulation.runners.clear();
  const line = JSON.stringify({ msg: 'no \0sandbox \ud800here' });
  const programs = testPrograms({ seats: `console.error(${JSON.stringify(line)}); process.exit(2);` });
  running = await launchPool(world, { programs });
  await running.client.scale({ targetSize: 4 }, asAdmin);
  const job = await ended();
  expect(job?.status).toBe('Failed');
  expect(job?.errorMessage).toContain('runner-1: seats ended with code 2: no sandbox \ufffdhere');
});

test('stops no runner while simulation is unavailable, and still lists the fleet', async () => {
  simulation.runners.set('runner-4', { state: 'IDLE', cordoned: false });
  await running.client.scale({ targetSize: 4 }, asAdmin);
  await ended();
  simulation.unavailable = true;
  await running.client.scale({ targetSize: 3 }, asAdmin);
  expect(await ended()).toMatchObject({ status: 'Failed', errorMessage: expect.stringContaining('not available') });
  expect(await states()).toHaveLength(4);
});

test('uncordons the runners that a change left cordoned because simulation was unavailable', async () => {
  const numbers = [1, 2, 3, 4, 5];
  for (const number of [4, 5]) simulation.runners.set(`runner-${number}`, { state: 'IDLE', cordoned: false });
  await running.client.scale({ targetSize: 5 }, asAdmin);
  await ended();
  for (const number of numbers) simulation.runners.set(`runner-${number}`, { state: 'ACTIVE', cordoned: false });
  const cordoned = () => [...simulation.runners].filter(([, runner]) => runner.cordoned).map(([name]) => name);
  await running.client.scale({ targetSize: 3 }, asAdmin);
  await eventually(() => expect(cordoned()).toEqual(['runner-4', 'runner-5']));
  simulation.unavailable = true;
  expect(await ended()).toMatchObject({ status: 'Failed', errorMessage: expect.stringContaining('not available') });
  expect(cordoned()).toEqual(['runner-4', 'runner-5']);
  simulation.unavailable = false;
  await eventually(() => expect(cordoned()).toEqual([]));
  expect(await states()).toEqual(numbers.map((number) => `runner-${number} ${9000 + number} active`));
});

test('finishes a change whose job could not be stored for a while', async () => {
  const { admin: database } = world.database;
  await running.client.scale({ targetSize: 5 }, asAdmin);
  await eventually(async () => expect(await newest()).toMatchObject({ status: 'Running' }));
  // A sequence counts the refusals, because it is not rolled back with them.
  await database.query(`
    CREATE SEQUENCE refusals;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pool AS
      $$ BEGIN PERFORM nextval('refusals'); RAISE 'the disk is full' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON scaling_jobs EXECUTE FUNCTION refuse()`);
  await eventually(async () => {
    const { rows } = await database.query<{ last: string }>('SELECT last_value AS last FROM refusals');
    expect(Number(rows[0]?.last)).toBeGreaterThanOrEqual(5);
  });
  await database.query('DROP TRIGGER refuse ON scaling_jobs');
  for (const name of ['runner-4', 'runner-5']) simulation.runners.set(name, { state: 'IDLE', cordoned: false });
  expect(await ended()).toMatchObject({ status: 'Finished', currentSize: 5, errorMessage: '' });
});

test('ends a change whose result the database refuses', async () => {
  const { admin: database } = world.database;
  await database.query("ALTER TABLE scaling_jobs ADD CHECK (status <> 'Finished')");
  for (const name of ['runner-4', 'runner-5']) simulation.runners.set(name, { state: 'IDLE', cordoned: false });
  await running.client.scale({ targetSize: 5 }, asAdmin);
  expect(await ended()).toMatchObject({
    status: 'Failed',
    currentSize: 5,
    errorMessage: "The database refused the state of this change. Its reason is in the pool's log.",
  });
});

test('carries out a job that was stored although its request got an error', async () => {
  simulation.runners.set('runner-4', { state: 'IDLE', cordoned: false });
  await world.database.admin.query(
    sql`INSERT INTO scaling_jobs (id, from_size, target_size, current_size, user_id, reason, created_at)
        VALUES (gen_random_uuid(), 3, 4, 3, ${userId}, '', now())`,
  );
  await eventually(async () => expect(await newest()).toMatchObject({ status: 'Finished', currentSize: 4 }));
});

test('restores the size and resumes an open job after a restart', async () => {
  await running.client.scale({ targetSize: 4 }, asAdmin);
  await running.stop();
  simulation.runners.set('runner-4', { state: 'IDLE', cordoned: false });
  running = await launchPool(world);
  expect(await ended()).toMatchObject({ status: 'Finished', targetSize: 4, currentSize: 4 });
  expect(await states()).toHaveLength(4);
});

test('refuses sizes below 3 or above the maximum', async () => {
  const scale = (targetSize: number) => refusal(running.client.scale({ targetSize }, asAdmin));
  for (const size of [2, 0, -3]) {
    expect(await scale(size)).toBe('FAILED_PRECONDITION pool-too-small: Target size must be at least 3');
  }
  expect(await scale(1_000_000)).toBe('FAILED_PRECONDITION pool-too-large: Target size must be at most 6');
  expect((await running.client.listScalingJobs({}, asAdmin)).total).toBe(0);
});

test("reads a runner's log by its port", async () => {
  await eventually(async () =>
    expect((await running.client.getRunnerLog({ port: 9002 }, asAdmin)).logContent).toContain('dealer | dealer is up'),
  );
  expect(await running.client.getRunnerLog({ port: 9002 }, asAdmin)).toMatchObject({
    containerName: 'runner-2',
    port: 9002,
  });
  expect(await refusal(running.client.getRunnerLog({ port: 1 }, asAdmin))).toBe(
    'NOT_FOUND runner-not-found: No runner has the port 1.',
  );
});

test('refuses every call of a caller who is not an admin', async () => {
  const somebody = { caller: { ...admin, admin: false } as Caller };
  const { client } = running;
  const calls = [
    () => client.getStatus({}, somebody),
    () => client.scale({ targetSize: 3 }, somebody),
    () => client.listScalingJobs({}, somebody),
    () => client.getRunnerLog({ port: 9001 }, somebody),
    () => client.getAutoscaling({}, somebody),
    () => client.setAutoscaling({ enabled: true }, somebody),
  ];
  for (const call of calls) expect(await refusal(call())).toMatch(/^PERMISSION_DENIED not-admin/);
  expect(await refusal(client.getStatus({}, { caller: { kind: 'anonymous' } }))).toMatch(/^UNAUTHENTICATED/);
});

test('the double of simulation fulfils the contract that pool relies on', async () => {
  const double = await startSimulation();
  const client = testClient(simulationService, Number(double.address.split(':')[1]), 'pool');
  double.runners.set('idle', { state: 'IDLE', cordoned: false });
  double.backlog = { jobs: 1, hands: 10 };
  await expectRunnersContract(client, { idle: 'idle', queued: { jobs: 1, hands: 10 } });
  client.close();
  await double.stop();
});
