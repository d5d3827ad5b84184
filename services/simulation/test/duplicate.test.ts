import { dealKey } from '@husky/match/commitment';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { sixUsers, user } from './start-service.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

const duplicate = (userIds: string[], more: object = {}) =>
  world.service.gateway.createMatch({ userIds, numRounds: 6, mode: 'duplicate', ...more }, asAdmin);
const job = (jobId: string) => world.service.gateway.getJob({ jobId }, asAdmin);

test('plays six matches with one deal set in which every player sits in every seat', async () => {
  const six = sixUsers();
  const { id } = await duplicate(six);
  const { rotations, dealSetId } = await job(id);
  expect(rotations.map(({ rotation }) => rotation)).toEqual([1, 2, 3, 4, 5, 6]);
  const seen = new Map<string, Set<number>>(six.map((one) => [one, new Set()]));
  const seeds = new Set<string>();
  for (let n = 1; n <= 6; n++) {
    const assignment = await world.service.mustClaim();
    const played = await job(assignment.jobId);
    expect(played).toMatchObject({ mode: 'duplicate', rotation: n, dealSetId, stacks: 'reset' });
    expect(assignment.stacks).toBe('reset');
    seeds.add(assignment.seed.toString('hex'));
    for (const [seat, { userId }] of assignment.seats.entries()) seen.get(userId)?.add(seat);
    await expect(world.service.gateway.getSeed({ jobId: id }, asAdmin)).rejects.toMatchObject({
      reason: 'seed-not-published',
    });
    await world.service.accept(assignment);
  }
  expect(seeds.size).toBe(1);
  for (const seats of seen.values()) expect(seats.size).toBe(6);
  for (const { jobId } of rotations) {
    const { seedHex, commitmentInput } = await world.service.gateway.getSeed({ jobId }, asAdmin);
    const key = dealKey(Buffer.from(seedHex, 'hex'), JSON.parse(commitmentInput));
    expect(new Set([Buffer.from(key).toString('hex')])).toEqual(seeds);
  }
  const holders = (await world.service.events()).filter(({ jobId }) => rotations.some((one) => one.jobId === jobId));
  expect(holders.map(({ lastOfHolder }) => lastOfHolder)).toEqual([false, false, false, false, false, true]);
});

test('respects explicit stacks and refuses other modes', async () => {
  const { id } = await duplicate(sixUsers(), { stacks: 'carry' });
  expect(await job(id)).toMatchObject({ stacks: 'carry', mode: 'duplicate' });
  await expect(duplicate(sixUsers(), { mode: 'triple' })).rejects.toMatchObject({ reason: 'match-invalid' });
  await world.play(6);
});

test('shows to others only those rotations that are public', async () => {
  const { id } = await duplicate(sixUsers());
  const [first, second] = (await job(id)).rotations;
  world.service.doubles.publicJobs.add(first?.jobId ?? '');
  const stranger = { caller: user() };
  const seen = await world.service.gateway.getJob({ jobId: first?.jobId ?? '' }, stranger);
  expect(seen.rotations).toEqual([first]);
  await expect(world.service.gateway.getJob({ jobId: second?.jobId ?? '' }, stranger)).rejects.toMatchObject({
    reason: 'job-private',
  });
  await world.play(6);
});

test('a duplicate batch plays six rotations of every table, in the order of its game numbers', async () => {
  const seven = users(7);
  const id = await world.createReady(seven, { numRounds: 10, mode: 'duplicate' });
  expect(await world.read(id)).toMatchObject({
    totalJobs: 42,
    plan: { mode: 'duplicate', stacks: 'reset', design: 'all', tables: 7, matches: 42, hands: 420, minTablesOfPair: 5 },
  });
  const { jobs } = await world.service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 100 }, asAdmin);
  expect(jobs.map((one) => one.rotation)).toEqual(jobs.map((_, index) => (index % 6) + 1));
  expect(new Set(jobs.map((one) => one.dealSetId)).size).toBe(7);
  for (const one of seven) {
    for (let seat = 0; seat < 6; seat++) {
      expect(jobs.filter((played) => played.playerIds[seat] === one)).toHaveLength(6);
    }
  }
  expect(await world.play(42)).toBe(42);
  expect(await world.read(id)).toMatchObject({ finished: 42, pending: 0 });
  await world.remove(id);
});

test('a batch of more tables than one step creates keeps the rotations of a deal set together', async () => {
  const id = await world.createReady(users(10), {
    numRounds: 5,
    mode: 'duplicate',
    design: 'balanced',
    handBudget: 30 * 45,
  });
  const { rows } = await world.service.pool.query(
    sql`SELECT count(*)::int AS jobs, count(DISTINCT deal_set_id)::int AS "dealSets" FROM jobs WHERE batch_id = ${id}`,
  );
  expect(rows).toEqual([{ jobs: 270, dealSets: 45 }]);
  await world.remove(id);
});

test('plans a batch as it is then created', async () => {
  const request = { numRounds: 100, mode: 'duplicate', design: 'balanced', handBudget: 20_000 };
  const plan = await world.service.gateway.planBatch({ users: 13, ...request }, asAdmin);
  expect(plan).toMatchObject({
    mode: 'duplicate',
    stacks: 'reset',
    tables: 33,
    matches: 198,
    hands: 19_800,
    minTablesOfPlayer: 15,
    maxTablesOfPlayer: 16,
  });
  const { id, plan: created } = await world.create(users(13), request);
  expect(created).toEqual(plan);
  await vi.waitFor(async () => expect((await world.read(id)).generatedJobs).toBe(198), 10_000);
  await world.remove(id);
  const classic = await world.service.gateway.planBatch({ users: 8 }, asAdmin);
  expect(classic).toMatchObject({ mode: 'classic', stacks: 'carry', design: 'all', matches: 28, hands: 28_000 });
});

test.each([
  [{ mode: 'x' }, "The mode must be 'classic' or 'duplicate'."],
  [{ stacks: 'x' }, "The stacks must be 'carry' or 'reset'."],
  [{ design: 'x' }, "The design must be 'all' or 'balanced'."],
  [{ design: 'balanced' }, 'A balanced design needs a budget of hands.'],
  [{ handBudget: 5 }, "A budget of hands needs the design 'balanced'."],
  [
    { mode: 'duplicate', design: 'balanced', handBudget: 11_999 },
    'The budget of hands is too small: 8 users need at least 12,000 hands, 6,000 for each table.',
  ],
  [{ design: 'balanced', handBudget: 38_761_000 }, 'The budget of hands is too large: it must be at most 38,760,999.'],
])('refuses a batch with %j', async (more, message) => {
  await expect(world.create(users(8), more)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
  const plan = world.service.gateway.planBatch({ users: 8, ...more }, asAdmin);
  await expect(plan).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});
