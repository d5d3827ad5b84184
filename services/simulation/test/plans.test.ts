import { createHash } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { deleteUser } from '../src/events/user-changed.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { admin, bot, sixUsers, user } from './start-service.ts';

const world = await startBatchWorld();
const { service } = world;
afterAll(() => service.stop());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const anonymous = { caller: { kind: 'anonymous' } } as const;
const planOf = (request: { jobId: string } | { batchId: string }) => service.gateway.getPlan(request, asAdmin);
const factsOf = async (jobId: string) => {
  const { commitmentDetails } = await service.gateway.getJob({ jobId }, asAdmin);
  const { publicInput = '', record } = commitmentDetails ?? {};
  return { facts: JSON.parse(publicInput), number: record?.number ?? 0 };
};

/** Checks that a plan's record is that of its text, and returns the plan. */
function checkedPlan({ id, text, record }: Awaited<ReturnType<typeof planOf>>) {
  expect(record).toMatchObject({ kind: 'plan', jobHash: sha256(`plan:${id}`), commitment: sha256(text) });
  return { ...JSON.parse(text), hash: sha256(text), number: record?.number ?? 0 };
}

test.each([
  ['classic', { mode: 'classic' }, 7],
  ['duplicate', { mode: 'duplicate', design: 'balanced', handBudget: 240, numRounds: 10 }, 24],
])(
  'commits to the plan of a %s batch before its seeds are drawn, and each match names its place in it',
  async (mode, options, matches) => {
    const roster = users(7);
    const id = await world.createReady(roster, { numRounds: 10, public: true, ...options });
    const plan = checkedPlan(await planOf({ batchId: id }));
    expect(plan).toMatchObject({
      kind: 'batch',
      id,
      mode,
      matches,
      hands: 10,
      public: true,
      stopRule: null,
      version: 1,
    });
    expect(plan.roster.map((bot: { userId: string }) => bot.userId)).toEqual(roster);
    expect(plan.limits).toEqual(service.context.settings.limits);
    const { jobs } = await service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 100, status: '' }, asAdmin);
    expect(jobs.map((job) => job.gameNumber)).toEqual(Array.from({ length: matches }, (_, index) => index + 1));
    const perTable = matches / plan.tables.length;
    for (const job of jobs) {
      const { facts, number } = await factsOf(job.id);
      expect(facts.plan).toEqual({ game: job.gameNumber, hash: plan.hash });
      expect(number).toBeGreaterThan(plan.number);
      const table = plan.tables[Math.floor((job.gameNumber - 1) / perTable)];
      const from = (6 - ((job.gameNumber - 1) % perTable)) % 6;
      const seats = [...table.slice(from), ...table.slice(0, from)].map(
        (letter) => plan.roster[letter.charCodeAt(0) - 65],
      );
      expect(facts.roster).toEqual(seats.map(({ nameHash: _, ...seat }) => seat));
      expect(await planOf({ jobId: job.id })).toEqual(await planOf({ batchId: id }));
    }
    await world.remove(id);
  },
);

test.each(['classic', 'duplicate'])(
  'draws the seeds of a %s match after its plan, which waits for packages',
  async (mode) => {
    const userIds = sixUsers();
    service.doubles.requirements.set(userIds[3] ?? '', 'numpy');
    const prepared = Promise.withResolvers<string>();
    service.doubles.prepare = () => prepared.promise;
    const { id, rotations, dealSetId } = await service.gateway.createMatch({ userIds, numRounds: 6, mode }, asAdmin);
    const seed = async () =>
      (await service.pool.query(sql`SELECT seed FROM deal_sets WHERE id = ${dealSetId}`)).rows[0]?.seed;
    expect(await seed()).toBeNull();
    expect((await planOf({ jobId: id })).text).toBe('');
    prepared.resolve('c'.repeat(64));
    const jobIds = mode === 'classic' ? [id] : rotations.map(({ jobId }) => jobId);
    await vi.waitFor(async () => {
      for (const jobId of jobIds) expect((await service.gateway.getJob({ jobId }, asAdmin)).commitment).not.toBe('');
    }, 20_000);
    const plan = checkedPlan(await planOf({ jobId: id }));
    expect(plan).toMatchObject({
      kind: mode === 'classic' ? 'match' : 'deal-set',
      matches: jobIds.length,
      tables: ['ABCDEF'],
    });
    expect(plan.roster.map((bot: { userId: string }) => bot.userId)).toEqual(userIds);
    expect(plan.roster[3].packagesHash).toBe('c'.repeat(64));
    const games: number[] = [];
    for (const jobId of jobIds) {
      const { facts, number } = await factsOf(jobId);
      expect(facts.plan.hash).toBe(plan.hash);
      expect(number).toBeGreaterThan(plan.number);
      games.push(facts.plan.game);
    }
    expect(games).toEqual(jobIds.map((_, index) => index + 1));
    for (const jobId of jobIds) await service.gateway.deleteJob({ jobId }, asAdmin);
    expect((await service.pool.query(sql`SELECT FROM plans WHERE hash = ${plan.hash}`)).rowCount).toBe(0);
  },
);

test('shows a plan to whoever may see the batch or the match', async () => {
  const id = await world.createReady(users(6));
  const { jobs } = await service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 1, status: '' }, asAdmin);
  const [job] = jobs;
  const player = { caller: user(job?.playerIds[0]) };
  const denied = { code: 'PERMISSION_DENIED', reason: 'batch-private' };
  for (const caller of [anonymous, player]) {
    await expect(service.gateway.getPlan({ batchId: id }, caller)).rejects.toMatchObject(denied);
    await expect(service.gateway.getPlan({ jobId: job?.id ?? '' }, caller)).rejects.toMatchObject(denied);
  }
  service.doubles.publicBatches.add(id);
  expect(await service.gateway.getPlan({ batchId: id }, anonymous)).toEqual(await planOf({ batchId: id }));
  const single = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  await expect(service.gateway.getPlan({ jobId: single.id }, anonymous)).rejects.toMatchObject({
    reason: 'job-private',
  });
  await expect(planOf({ batchId: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(planOf({ jobId: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await world.remove(id);
});

test('names players by salted hashes, whose names are deleted with the account; the plan stays as it was', async () => {
  const roster = users(6);
  const [leaver = ''] = roster;
  const id = await world.createReady(roster);
  const before = await planOf({ batchId: id });
  const plan = checkedPlan(before);
  for (const { userId, name, salt } of before.names) {
    const { nameHash } = plan.roster.find((bot: { userId: string }) => bot.userId === userId);
    expect(nameHash).toBe(sha256(`${salt}:${name}`));
  }
  expect(before.names).toHaveLength(6);
  await deleteUser(service.context, leaver);
  const after = await planOf({ batchId: id });
  const [job] = await service.context.prisma.job.findMany({ where: { batchId: id }, take: 1 });
  expect((await service.liveData.getMatch({ jobId: job?.id ?? '', withProof: true })).plan, 'for exports').toEqual(
    after,
  );
  expect(after.text).toBe(before.text);
  expect(after.names).toEqual(before.names.filter(({ userId }) => userId !== leaver));
  expect(after.text).not.toContain(before.names[0]?.name);
  await world.remove(id);
  expect((await service.pool.query(sql`SELECT FROM plan_names WHERE plan_id = ${id}`)).rowCount).toBe(0);
});

test('a batch of the version before continues without a plan', async () => {
  const id = await world.createReady(users(6));
  await service.pool.query(sql`DELETE FROM plans WHERE id = ${id}`);
  await service.pool.query(sql`DELETE FROM jobs WHERE batch_id = ${id}`);
  // One of 28 was created by the version before.
  await service.pool.query(
    sql`UPDATE batches SET state = 'GENERATING', total_jobs = 3, generated_jobs = 2, tables = ${Buffer.from([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])}, work_after = now() WHERE id = ${id}`,
  );
  service.context.worker.kick();
  await vi.waitFor(async () => expect((await world.read(id)).state).toBe('Ready'), 10_000);
  expect(await planOf({ batchId: id })).toMatchObject({ text: '', record: null });
  const { jobs } = await service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 9, status: '' }, asAdmin);
  expect(jobs).toHaveLength(1);
  expect((await factsOf(jobs[0]?.id ?? '')).facts.plan).toBeUndefined();
  const counts = await service.gateway.countMatches({ batchIds: [id] }, anonymous);
  expect(counts).toMatchObject({ planned: 3, pending: 1, deleted: 2, deletedUnknown: 2, deletedMatches: [] });
  await world.remove(id);
});

test('a test run has no plan', async () => {
  const { id } = await service.gateway.createTestRun(bot, { caller: user() });
  expect(await planOf({ jobId: id })).toMatchObject({ text: '' });
  expect((await factsOf(id)).facts.plan).toBeUndefined();
  await service.gateway.deleteJob({ jobId: id }, { caller: admin });
});
