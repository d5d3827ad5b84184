import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { afterAll, expect, test, vi } from 'vitest';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { bot, user } from './start-service.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

test('plays one match of a thousand hands for every six of eight users', async () => {
  const eight = users(8);
  const batch = await world.create(eight);
  expect(batch).toMatchObject({ totalJobs: 28, pending: 28, numRounds: 1000, paused: false, held: false });
  const { id } = batch;
  await vi.waitFor(
    async () => expect(await world.read(id)).toMatchObject({ state: 'Ready', generatedJobs: 28 }),
    10_000,
  );
  const { jobs, total } = await world.service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 100 }, asAdmin);
  expect(total).toBe(28);
  expect(jobs.map((job) => job.gameNumber)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  expect(new Set(jobs.map((job) => [...job.playerIds].sort().join())).size).toBe(28);
  for (const one of eight) expect(jobs.filter((job) => job.playerIds.includes(one))).toHaveLength(21);
  expect(new Set(jobs.map((job) => job.batchNumber))).toEqual(new Set([batch.batchNumber]));
  expect(new Set(jobs.map((job) => job.commitment)).size).toBe(28);

  expect(await world.play(28)).toBe(28);
  const done = await world.read(id);
  expect(done).toMatchObject({ finished: 28, pending: 0, running: 0, failed: 0, secondsLeft: 0 });
  expect(done.standings).toHaveLength(8);
  expect(done.standings.reduce((sum, one) => sum + one.delta, 0)).toBe(0);
  expect(done.standings[0]).toMatchObject({ userId: eight[0], matches: 21, delta: 21 * 50 });
  const events = (await world.service.events()).filter((event) => event.holderId === id);
  expect(events).toHaveLength(28);
  expect(events.filter((event) => event.lastOfHolder)).toHaveLength(1);
  await world.remove(id);
});

test('creates jobs of a batch once, by any replica, and does not delay a test run behind them', async () => {
  // Three steps of the workers.
  const id = await world.createReady(users(11));
  const { rows } = await world.service.pool.query(
    sql`SELECT count(*)::int AS jobs, count(DISTINCT game_number)::int AS games, max(game_number) AS last FROM jobs WHERE batch_id = ${id}`,
  );
  expect(rows).toEqual([{ jobs: 462, games: 462, last: 462 }]);
  await world.play(3);
  const run = await world.service.gateway.createTestRun(bot, { caller: user() });
  expect(run.queuePosition).toBe(1);
  const order: (string | undefined)[] = [];
  for (let n = 0; n < 2; n++) {
    const assignment = await world.service.mustClaim();
    order.push(assignment.jobId);
    await world.service.accept(assignment);
  }
  expect(order).toContain(run.id);
  await world.remove(id);
  expect(await world.service.claim()).toBeNull();
});

test('lists 1,716 jobs completely and in order, even on deep pages', async () => {
  const id = await world.createReady(users(13));
  const pages = [1, 2, 3, 4, 5];
  const all = await Promise.all(
    pages.map((page) => world.service.gateway.listJobs({ page, pageSize: 400, kinds: ['BATCH_MATCH'] }, asAdmin)),
  );
  const numbers = all.flatMap(({ jobs }) => jobs.map((job) => Number(job.jobNumber)));
  expect(all.map(({ total }) => total)).toEqual(pages.map(() => 1716));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a));
  expect(numbers).toHaveLength(1716);
  expect(all.at(-1)?.jobs.every((job) => job.playerIds.length === 6 && job.batchNumber > 0)).toBe(true);
  const last = await world.service.gateway.listBatchJobs({ batchId: id, page: 18, pageSize: 100 }, asAdmin);
  expect(last.jobs.map((job) => job.gameNumber)).toEqual(Array.from({ length: 16 }, (_, index) => 1701 + index));
  await world.remove(id);
});

test('completes a batch by another worker when its worker dies', async () => {
  const { id } = await world.create(users(9), { numRounds: 5 });
  // Independently of its progress: as if its worker had died before or after a step.
  await world.service.pool.query(sql`UPDATE batches SET work_after = now() + interval '1 day' WHERE id = ${id}`);
  await world.service.pool.query(
    sql`UPDATE batches SET work_after = 'epoch' WHERE id = ${id} AND state = 'GENERATING'`,
  );
  await vi.waitFor(
    async () => expect(await world.read(id)).toMatchObject({ state: 'Ready', generatedJobs: 84 }),
    10_000,
  );
  expect((await world.service.gateway.listBatchJobs({ batchId: id }, asAdmin)).total).toBe(84);
  await world.remove(id);
});

test('reports progress with hands per second and the remaining time', async () => {
  const id = await world.createReady(users(7), { numRounds: 100 });
  for (let n = 0; n < 4; n++) {
    const assignment = await world.service.mustClaim();
    world.service.clock.advance(10_000);
    await world.service.accept(assignment);
  }
  const progress = await world.read(id);
  expect(progress.handsPerSecond).toBeCloseTo(10, 5);
  expect(progress.secondsLeft).toBeCloseTo(30, 5);
  await world.remove(id);
});

test('resolves the packages of each bot once, before the first job', async () => {
  const seven = users(7);
  for (const one of seven) world.service.doubles.requirements.set(one, 'numpy');
  world.service.doubles.prepared.length = 0;
  const id = await world.createReady(seven, { numRounds: 10 });
  expect(world.service.doubles.prepared).toHaveLength(7);
  const assignment = await world.service.mustClaim();
  expect(assignment.seats.every((seat) => /^[0-9a-f]{64}$/.test(seat.packagesHash))).toBe(true);
  await world.remove(id);
});

test('fails a batch with a reason if a bot cannot be played, and prepares it again on a retry', async () => {
  const seven = users(7);
  world.service.doubles.requirements.set(seven[3] ?? '', 'nonsense');
  world.service.doubles.prepare = () => {
    throw new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'The package nonsense does not exist.');
  };
  const { id } = await world.create(seven);
  const problem = 'A bot cannot be played: The package nonsense does not exist.';
  await vi.waitFor(async () => expect(await world.read(id)).toMatchObject({ state: 'Failed', problem }), 10_000);
  world.service.doubles.prepare = () => 'a'.repeat(64);
  await world.service.gateway.retryBatch({ batchId: id }, asAdmin);
  await vi.waitFor(async () => expect(await world.read(id)).toMatchObject({ state: 'Ready', problem: '' }), 10_000);
  await world.remove(id);
});

test('retries to prepare a batch for five minutes from the first failure after a retry', async () => {
  const { doubles, gateway, clock, pool } = world.service;
  const seven = users(7);
  doubles.requirements.set(seven[3] ?? '', 'numpy');
  doubles.prepare = () => {
    throw new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'The package numpy does not exist.');
  };
  const { id } = await world.create(seven);
  const becomes = (expected: object) =>
    vi.waitFor(async () => expect(await world.read(id)).toMatchObject(expected), 10_000);
  const failedTries = (tries: number) =>
    vi.waitFor(async () => {
      const { rows } = await pool.query(sql`SELECT work_tries AS tries FROM batches WHERE id = ${id}`);
      expect(rows).toEqual([{ tries }]);
    }, 10_000);
  await becomes({ state: 'Failed' });
  clock.advance(3_600_000);
  doubles.prepare = () => {
    throw new DomainError('UNAVAILABLE', 'package-index-away', 'The package index cannot be reached right now.');
  };
  await gateway.retryBatch({ batchId: id }, asAdmin);
  await failedTries(1);
  clock.advance(60_000);
  await failedTries(2);
  expect(await world.read(id)).toMatchObject({ state: 'Preparing', problem: '' });
  clock.advance(5 * 60_000);
  await becomes({ state: 'Failed' });
  doubles.prepare = () => 'a'.repeat(64);
  await gateway.retryBatch({ batchId: id }, asAdmin);
  await becomes({ state: 'Ready', problem: '' });
  await world.remove(id);
});

test.each([
  [5, 'A batch needs 6 to 20 users.'],
  [21, 'A batch needs 6 to 20 users.'],
])('refuses a batch of %i users', async (count, message) => {
  await expect(world.create(users(count))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});

test('refuses the same user twice, users without a final submission, and bad rounds', async () => {
  const six = users(6);
  await expect(world.create([...six, six[0] ?? ''])).rejects.toThrow('The same user cannot be in a batch twice.');
  world.service.doubles.withoutFinal.add(six[5] ?? '');
  await expect(world.create(six)).rejects.toThrow(`name-${six[5]?.slice(0, 4)} has no final submission.`);
  await expect(world.create(users(6), { numRounds: 10_001 })).rejects.toMatchObject({ reason: 'match-invalid' });
  await expect(world.create(users(6), { numRounds: -1 })).rejects.toMatchObject({ reason: 'match-invalid' });
});

const eight = users(8);
const [ann = '', bob = ''] = eight;
const duplicate = { numRounds: 10, mode: 'duplicate', stacks: 'carry' };

test('ends a batch when its pair is decided, and shows the course', async () => {
  // Over six rotations every player wins the same. The margin is 300 stacks in 100 hands, three tables' worth.
  const stopRule = { alpha: 0.05, margin: 1_000_000, userIds: [ann, bob] };
  const id = await world.createReady(eight, { ...duplicate, stopRule });
  expect((await world.read(id)).stop).toMatchObject({ rule: stopRule, stoppedAt: '' });
  for (let table = 0; table < 28; table++) {
    if ((await world.read(id)).state === 'Stopped') break;
    await world.play(6);
    await vi.waitFor(async () => {
      const { rows } = await world.service.pool.query(sql`SELECT work_after FROM batches WHERE id = ${id}`);
      expect(rows).toEqual([{ work_after: null }]);
    }, 10_000);
  }
  const ended = await world.read(id);
  expect(ended).toMatchObject({ state: 'Stopped', pending: 0, running: 0, stop: { rule: stopRule } });
  expect(ended.finished).toBeLessThan(168);
  expect(ended.finished + ended.failed).toBe(168);
  expect(ended.stop?.stoppedAt).not.toBe('');
  const course = ended.stop?.pairs[0]?.course ?? [];
  expect(course.at(-1)).toMatchObject({ mean: 0, decision: 'equivalent' });
  expect(course.slice(0, -1).every(({ decision }) => decision === 'continue')).toBe(true);
  const { jobs } = await world.service.gateway.listBatchJobs({ batchId: id, status: 'Failed' }, asAdmin);
  expect(jobs[0]?.errorMessage).toBe('Not played: the stopping rule has ended the batch.');
  await expect(world.service.gateway.retryBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({
    reason: 'batch-stopped',
  });
  await world.remove(id);
});

const balanced = { numRounds: 10, design: 'balanced', handBudget: 210 };

test('plays a batch to its end while a pair is undecided', async () => {
  const id = await world.createReady(users(7), { ...balanced, stopRule: { alpha: 0.05, margin: 0, userIds: [] } });
  expect(await world.play(21)).toBe(21);
  const { state, finished, stop } = await world.read(id);
  expect({ state, finished }).toEqual({ state: 'Ready', finished: 21 });
  expect(stop).toMatchObject({ stoppedAt: '', outdated: false });
  expect(stop?.pairs).toHaveLength(21);
  expect(stop?.pairs.every(({ course }) => course.length === 1 && course[0]?.tables === 21)).toBe(true);
  expect(stop?.players.map(({ tables }) => tables)).toEqual(new Array(7).fill(18));
  expect(stop?.players.every(({ mean, low, high }) => low < mean && mean < high)).toBe(true);
  await world.remove(id);
});

test('plays a batch with a rule of an earlier version to its end, and says that it decides nothing', async () => {
  const stopRule = { alpha: 0.05, margin: 1_000_000, userIds: [ann, bob] };
  const id = await world.createReady(eight, { ...balanced, stopRule });
  const earlier = { alpha: 0.05, margin: 1_000_000, pair: [ann, bob], plannedTables: 15 };
  await world.service.pool.query(
    sql`UPDATE batches SET stop_rule = ${JSON.stringify(earlier)}::jsonb, stacks = 'reset' WHERE id = ${id}`,
  );
  expect(await world.play(21)).toBe(21);
  const { state, finished, stop } = await world.read(id);
  expect({ state, finished }).toEqual({ state: 'Ready', finished: 21 });
  expect(stop).toEqual({ rule: stopRule, stoppedAt: '', pairs: [], players: [], outdated: true });
  await world.service.pool.query(sql`UPDATE batches SET stopped_at = now(), state = 'CANCELLED' WHERE id = ${id}`);
  expect(await world.read(id)).toMatchObject({ state: 'Stopped', stop: { outdated: true, pairs: [] } });
  await world.remove(id);
});
