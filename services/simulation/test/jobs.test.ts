import { createHash, randomUUID } from 'node:crypto';
import { housePlayers } from '@husky/contracts/house-user';
import { opponents } from '@husky/contracts/test-runs';
import { dealKey } from '@husky/match/commitment';
import { isJobId } from '@husky/match/game-id';
import type { Caller } from '@husky/runtime/rpc/caller';
import { afterAll, expect, test, vi } from 'vitest';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const house = '00000000-0000-8000-8000-000000000001';
const match = (userIds: string[] = sixUsers(), more: object = {}) =>
  service.gateway.createMatch(
    { userIds, numRounds: 6, blinds: { bigBlind: 10, multiplier: '1', interval: 1 }, ...more },
    { caller: admin },
  );

/** Plays all waiting jobs, so that a test's own job is the next. */
async function drain(): Promise<void> {
  for (;;) {
    const assignment = await service.claim('drain');
    if (!assignment) return;
    await service.accept(assignment);
  }
}

test('creates a test run of ten hands with the owner in seat 0 and the house bot in seat 1', async () => {
  const caller = user();
  const job = await service.gateway.createTestRun(bot, { caller });
  expect(isJobId(job.id)).toBe(true);
  expect(job).toMatchObject({
    kind: 'TEST_RUN',
    status: 'PENDING',
    ownerId: caller.id,
    playerIds: [caller.id, house],
    numRounds: 10,
    queuePosition: 1,
    batchNumber: 0,
    held: false,
  });
  expect(job.gameNumber).toBe(job.jobNumber);
  expect(job.commitment).toMatch(/^[0-9a-f]{64}$/);
  await drain();
});

test('plays a test run against the chosen style, or a mix of five house bots, for the chosen hands', async () => {
  for (const against of opponents) {
    const caller = user();
    const created = await service.gateway.createTestRun({ ...bot, against, numRounds: 200 }, { caller });
    expect(created).toMatchObject({ against, numRounds: 200 });
    const {
      playerIds: [own, first, ...others],
    } = created;
    // The house account marks test runs.
    expect([own, first]).toEqual([caller.id, house]);
    expect(others.every((id) => housePlayers.has(id))).toBe(true);
    expect(new Set(others).size).toBe(against === 'mix' ? 4 : 0);
    await drain();
  }
  for (const wrong of [{ against: 'nobody' }, { numRounds: 9 }, { numRounds: 201 }, { numRounds: -10 }]) {
    const refused = { code: 'INVALID_ARGUMENT', message: expect.stringMatching(/^A test run /) };
    await expect(service.gateway.createTestRun({ ...bot, ...wrong }, { caller: user() })).rejects.toMatchObject(
      refused,
    );
  }
});

test('refuses an invalid bot and leaves neither a job nor pins', async () => {
  const caller = user();
  const before = service.doubles.pins.size;
  const empty = { playerFile: Buffer.alloc(0), requirementsFile: Buffer.alloc(0) };
  await expect(service.gateway.createTestRun(empty, { caller })).rejects.toMatchObject({ reason: 'bot-invalid' });
  expect((await service.gateway.listJobs({ ownerId: caller.id }, { caller })).total).toBe(0);
  expect(service.doubles.pins.size).toBe(before);
  const { rows } = await service.pool.query('SELECT * FROM pin_intents');
  expect(rows).toEqual([]);
});

test('limits a user to three unfinished test runs, even if they start concurrently', async () => {
  const caller = user();
  const runs = await Promise.allSettled(
    Array.from({ length: 6 }, () => service.gateway.createTestRun(bot, { caller })),
  );
  expect(runs.filter((run) => run.status === 'fulfilled')).toHaveLength(3);
  await expect(service.gateway.createTestRun(bot, { caller })).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    message: 'You already have 3 test runs that have not ended. Please wait for one to end.',
  });
  await drain();
  await service.gateway.createTestRun(bot, { caller });
  await drain();
});

test('lets verified users start test runs and admins start matches', async () => {
  const unverified = { caller: user(randomUUID(), { verified: false }) };
  await expect(service.gateway.createTestRun(bot, unverified)).rejects.toMatchObject({ reason: 'not-verified' });
  const request = { userIds: sixUsers(), numRounds: 6 };
  await expect(service.gateway.createMatch(request, { caller: user() })).rejects.toMatchObject({ reason: 'not-admin' });
  await expect(service.gateway.countJobs({}, { caller: user() })).rejects.toMatchObject({ reason: 'not-admin' });
  await expect(service.gateway.listJobs({}, { caller: user() })).rejects.toMatchObject({ reason: 'not-admin' });
});

test.each([
  [{ numRounds: 0 }, 'The number of rounds must be between 1 and 10,000.'],
  [{ numRounds: 10_001 }, 'The number of rounds must be between 1 and 10,000.'],
  [{ blinds: { bigBlind: 0, multiplier: '1', interval: 1 } }, 'The initial blind must be between 1 and 1,000,000.'],
  [
    { blinds: { bigBlind: 10, multiplier: '0.05', interval: 1 } },
    'The blind multiplier must be a decimal number between 0.1 and 1000.',
  ],
  [
    { blinds: { bigBlind: 10, multiplier: '1e3', interval: 1 } },
    'The blind multiplier must be a decimal number between 0.1 and 1000.',
  ],
  [{ blinds: { bigBlind: 10, multiplier: '1', interval: 0 } }, 'The blind increase interval must be at least 1.'],
])('refuses a match with %j', async (more, message) => {
  await expect(match(sixUsers(), more)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});

test('refuses five users, the same user twice, and users without a final submission by name', async () => {
  const six: string[] = sixUsers();
  await expect(match(six.slice(1))).rejects.toThrow('A match needs exactly 6 users.');
  await expect(match([...six.slice(1), six[1] ?? ''])).rejects.toThrow('The same user cannot play twice in a match.');
  const [first = '', second = ''] = six;
  service.doubles.withoutFinal.add(first);
  await expect(match(six)).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: `name-${first.slice(0, 4)} has no final submission.`,
  });
  service.doubles.withoutFinal.add(second);
  await expect(match(six)).rejects.toThrow(
    `name-${first.slice(0, 4)} and name-${second.slice(0, 4)} have no final submission.`,
  );
});

test('plays a match from its creation to the published seed, which fulfils the commitment', async () => {
  const six = sixUsers();
  const { id } = await match(six);
  const reader = { caller: user(six[3]) };
  const notYet = { code: 'FAILED_PRECONDITION', reason: 'seed-not-published' };
  await expect(service.gateway.getSeed({ jobId: id }, reader)).rejects.toMatchObject(notYet);
  const assignment = await service.mustClaim();
  expect(assignment).toMatchObject({ jobId: id, attempt: 1, startingStack: 10_000, numRounds: 6, leaseSeconds: 30 });
  expect(assignment.seats.map((seat) => seat.userId)).toEqual(six);
  expect(assignment.limits).toMatchObject({ decisionMs: 5000, bankMs: 60_000, memoryMib: 256 });
  const running = await service.gateway.getJob({ jobId: id }, reader);
  expect(running).toMatchObject({ status: 'RUNNING', attempt: 1, queuePosition: 0, results: [] });
  const facts = await service.liveData.getMatch({ jobId: id });
  expect(facts.seed.equals(assignment.seed)).toBe(true);
  await expect(service.gateway.getMatch({ jobId: id }, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });

  const results = six.map((userId, seat) => ({ userId, delta: seat === 0 ? -500 : 100 }));
  const report = {
    jobId: id,
    attempt: 1,
    handsPlayed: 5,
    endedEarly: 'one player holds all chips',
    results,
    digest: 'd',
  };
  expect(await service.liveData.acceptResult(report)).toEqual({ accepted: true, acceptedAttempt: 1 });
  const finished = await service.gateway.getJob({ jobId: id }, reader);
  expect(finished).toMatchObject({
    status: 'FINISHED',
    handsPlayed: 5,
    endedEarly: report.endedEarly,
    results,
    attempt: 1,
  });

  const seed = await service.gateway.getSeed({ jobId: id }, reader);
  const key = dealKey(Buffer.from(seed.seedHex, 'hex'), JSON.parse(seed.commitmentInput));
  expect([Buffer.from(key), seed.commitment]).toEqual([assignment.seed, running.commitment]);
  expect(createHash('sha256').update(seed.commitmentInput).digest('hex')).toBe(seed.commitment);
  expect(seed.commitmentInput).toContain(seed.seedHex);
  const events = (await service.events()).filter((event) => event.jobId === id);
  expect(events).toMatchObject([
    {
      jobId: id,
      ownerId: admin.id,
      holderId: id,
      status: 'Finished',
      reason: report.endedEarly,
      lastOfHolder: true,
      kind: 'MATCH',
      handsPlayed: report.handsPlayed,
      batchEnded: null,
      results: results.map((result) => ({ ...result, disabled: '' })),
    },
  ]);
  expect(events).toHaveLength(1);
});

test('returns a private job to its owner, its players and admins, and a public one to everybody', async () => {
  const owner = user();
  const { id } = await service.gateway.createTestRun(bot, { caller: owner });
  for (const caller of [owner, admin]) expect((await service.gateway.getJob({ jobId: id }, { caller })).id).toBe(id);
  const anonymous = { caller: { kind: 'anonymous' } } as const;
  for (const stranger of [{ caller: user() }, anonymous]) {
    await expect(service.gateway.getJob({ jobId: id }, stranger)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(service.gateway.getSeed({ jobId: id }, stranger)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  }
  service.doubles.publicJobs.add(id);
  expect((await service.gateway.getJob({ jobId: id }, anonymous)).id).toBe(id);
  for (const jobId of [randomUUID(), 'nonsense']) {
    await expect(service.gateway.getJob({ jobId }, anonymous)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await drain();
});

test('lists own jobs for users and all for admins, with filters, pages and totals', async () => {
  const caller = user();
  const mine = [];
  for (let n = 0; n < 3; n++) mine.unshift(await service.gateway.createTestRun(bot, { caller }));
  const own = await service.gateway.listJobs({ ownerId: caller.id }, { caller });
  expect(own.total).toBe(3);
  expect(own.jobs.map((job) => job.id)).toEqual(mine.map((job) => job.id));
  expect(own.jobs.map((job) => job.queuePosition)).toEqual([3, 2, 1]);
  await expect(service.gateway.listJobs({ ownerId: caller.id }, { caller: user() })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  const page = await service.gateway.listJobs({ ownerId: caller.id, page: 2, pageSize: 2 }, { caller: admin });
  expect(page).toMatchObject({ total: 3, jobs: [{ id: mine[2]?.id }] });
  expect((await service.gateway.listJobs({ ownerId: caller.id, page: 9 }, { caller })).jobs).toEqual([]);
  const prefix = mine[1]?.id.slice(0, 11) ?? '';
  const found = await service.gateway.listJobs({ q: prefix }, { caller: admin });
  expect(found.jobs.map((job) => job.id)).toEqual([mine[1]?.id]);
  expect((await service.gateway.listJobs({ q: 'xyz' }, { caller: admin })).total).toBe(0);
  expect((await service.gateway.listJobs({ ownerId: caller.id, status: 'Finished' }, { caller })).total).toBe(0);
  expect((await service.gateway.listJobs({ ownerId: caller.id, kinds: ['MATCH'] }, { caller })).total).toBe(0);
  await drain();
  expect((await service.gateway.listJobs({ ownerId: caller.id, status: 'Completed' }, { caller })).total).toBe(3);
  const { total } = await service.gateway.listJobs({}, { caller: admin });
  expect((await service.gateway.countJobs({}, { caller: admin })).jobCount).toBe(total);
});

test.each([
  ['a page that is not full', 1, 4, 3],
  ['a page that ends with the last job', 1, 3, 3],
  ['a full page before others', 1, 2, 2],
  ['the last page', 2, 2, 1],
  ['a page behind the last one', 3, 2, 0],
])('counts all jobs of the list on %s', async (_which, page, pageSize, jobsOnPage) => {
  const caller = user();
  for (let run = 0; run < 3; run++) await service.gateway.createTestRun(bot, { caller });
  const { jobs, total } = await service.gateway.listJobs({ ownerId: caller.id, page, pageSize }, { caller });
  expect(total).toBe(3);
  expect(jobs).toHaveLength(jobsOnPage);
  await drain();
});

test('prepares packages before a job can be claimed, and includes them in the commitment', async () => {
  const caller = user();
  const request = { ...bot, requirementsFile: Buffer.from('numpy') };
  const { id } = await service.gateway.createTestRun(request, { caller });
  await vi.waitFor(async () => {
    const job = await service.gateway.getJob({ jobId: id }, { caller });
    expect(job.commitment).not.toBe('');
  }, 10_000);
  const assignment = await service.mustClaim();
  expect(assignment.jobId).toBe(id);
  expect(assignment.seats[0]?.packagesHash).toMatch(/^[0-9a-f]{64}$/);
  expect(assignment.seats[1]?.packagesHash).toBe('');
  await service.accept(assignment);
  const { commitmentInput } = await service.gateway.getSeed({ jobId: id }, { caller });
  expect(commitmentInput).toContain(assignment.seats[0]?.packagesHash);
});

test("lists the matches of a user's bot, whoever started them, to the user and admins", async () => {
  const six = sixUsers();
  const player = user(six[2]);
  const own = await service.gateway.createTestRun(bot, { caller: player });
  const joined = await match(six);
  await match();
  const list = async (request: object, caller = player) => {
    const { jobs, total } = await service.gateway.listJobs(request, { caller });
    return { ids: jobs.map(({ id }) => id), total };
  };
  const both = { ids: [joined.id, own.id], total: 2 };
  expect(await list({ playerId: player.id })).toEqual(both);
  expect(await list({ playerId: player.id, ownerId: player.id })).toEqual(both);
  expect(await list({ ownerId: player.id })).toEqual({ ids: [own.id], total: 1 });
  expect(await list({ playerId: player.id }, admin)).toEqual(both);
  expect(await list({ playerId: player.id, page: 2, pageSize: 1 })).toEqual({ ids: [own.id], total: 2 });
  for (const request of [{ playerId: six[0] }, { ownerId: player.id, playerId: six[0] }, {}]) {
    await expect(list(request)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  }
  await drain();
});

test('returns hashes of bots to their owners and admins, and the time limits of a job', async () => {
  const six = sixUsers();
  const { id } = await match(six);
  const read = (caller: Caller) => service.gateway.getJob({ jobId: id }, { caller });
  const own = await read(user(six[1]));
  expect(own.botHashes.map((hash) => hash !== '')).toEqual([false, true, false, false, false, false]);
  expect((await read(admin)).botHashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  expect(own.decisionLimits).toMatchObject({ decisionMs: expect.any(Number), bankMs: expect.any(Number) });
  await drain();
});
