import type { Caller } from '@husky/runtime/rpc/caller';
import { afterAll, expect, test } from 'vitest';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const secret = 'KeyError: my secret (line 20)';
const none: { kind: string; count: number }[] = [];
const clean = (userId: string) => ({
  userId,
  decisions: 12,
  counts: none,
  failedCalls: 0,
  neverStarted: false,
  outKind: '',
  firstKind: '',
  firstHand: 0,
  firstStep: 0,
  firstText: '',
});
const failed = (userId: string) => ({
  ...clean(userId),
  decisions: 9,
  counts: [{ kind: 'exception', count: 9 }],
  firstKind: 'exception',
  firstHand: 2,
  firstStep: 3,
  firstText: secret,
});
const neverStarted = (userId: string) => ({
  ...failed(userId),
  counts: [{ kind: 'startup', count: 9 }],
  neverStarted: true,
  outKind: 'startup',
  firstKind: 'startup',
});

type Faults = ReturnType<typeof clean>;

/** Plays the next job, in which the first player loses 60 to the second. */
async function playWith(faultsOf: (userId: string, seat: number) => Faults): Promise<string> {
  const { jobId, attempt, seats } = await service.mustClaim();
  const results = seats.map(({ userId }, seat) => ({ userId, delta: seat === 0 ? -60 : seat === 1 ? 60 : 0 }));
  const seatFaults = seats.map(({ userId }, seat) => faultsOf(userId, seat));
  const report = { jobId, attempt, handsPlayed: 10, results, digest: 'd', seatFaults };
  expect(await service.liveData.acceptResult(report)).toMatchObject({ accepted: true });
  return jobId;
}

test("returns each bot's faults with a job, but their text only to the bot's owner and admins", async () => {
  const six = sixUsers();
  const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
  await service.gateway.createMatch({ userIds: six, numRounds: 10, blinds }, { caller: admin });
  const jobId = await playWith((userId, seat) => (seat === 0 ? failed(userId) : clean(userId)));
  service.doubles.publicJobs.add(jobId);
  const read = async (options: { caller: Caller }) => (await service.gateway.getJob({ jobId }, options)).seatFaults;
  for (const caller of [user(six[0]), admin]) {
    expect((await read({ caller }))[0]).toEqual(failed(six[0] ?? ''));
  }
  for (const caller of [user(six[1]), user(), { kind: 'anonymous' } as const]) {
    const seats = await read({ caller });
    expect(seats[0]).toEqual({ ...failed(six[0] ?? ''), firstText: '' });
    expect(JSON.stringify(seats)).not.toContain('secret');
  }
  const { jobs } = await service.gateway.listJobs({}, { caller: admin });
  expect(jobs.find(({ id }) => id === jobId)?.seatFaults[0]).toEqual(failed(six[0] ?? ''));
});

test('reports no winner of a test run whose bot never started', async () => {
  const caller = user();
  await service.gateway.createTestRun(bot, { caller });
  const jobId = await playWith((userId) => (userId === caller.id ? neverStarted(userId) : clean(userId)));
  const job = await service.gateway.getJob({ jobId }, { caller });
  expect(job.noContest).toBe(true);
  expect(job.results.map(({ delta }) => delta)).toEqual([0, 0]);
  expect(job.seatFaults[0]).toMatchObject({ neverStarted: true });
  const [ended] = (await service.events()).filter((event) => event.jobId === jobId);
  expect(ended).toMatchObject({ noContest: true });
  expect(ended?.results[0]).toMatchObject({ delta: 0, neverStarted: true, faults: 'never started', faultText: secret });
  expect(ended?.results[1]).toMatchObject({ delta: 0, neverStarted: false, faults: '' });
});

test('reports a result of a match in which two bots played, even if a third never started', async () => {
  const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
  await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 10, blinds }, { caller: admin });
  const jobId = await playWith((userId, seat) => (seat < 2 ? clean(userId) : neverStarted(userId)));
  const job = await service.gateway.getJob({ jobId }, { caller: admin });
  expect(job.noContest).toBe(false);
  expect(job.results.map(({ delta }) => delta)).toEqual([-60, 60, 0, 0, 0, 0]);
});

test('reports unknown faults instead of none for a match accepted by the previous release', async () => {
  const caller = user();
  const { id } = await service.gateway.createTestRun(bot, { caller });
  await service.accept(await service.mustClaim());
  expect(await service.gateway.getJob({ jobId: id }, { caller })).toMatchObject({ seatFaults: [], noContest: false });
});

test("returns the caller's newest test run with each bot, never another user's", async () => {
  const caller = user();
  const other = user();
  await service.gateway.createTestRun(bot, { caller: other });
  await playWith(clean);
  await service.gateway.createTestRun(bot, { caller });
  await playWith(failed);
  const { id } = await service.gateway.createTestRun(bot, { caller });
  const assignment = await service.mustClaim();
  const botHash = assignment.seats[0]?.botHash ?? '';
  await service.accept(assignment);
  const request = { botHashes: [botHash, 'f'.repeat(64)] };
  const { runs } = await service.gateway.lastTestRuns(request, { caller });
  expect(runs.map((run) => [run.botHash, run.job?.id])).toEqual([[botHash, id]]);
  expect((await service.gateway.lastTestRuns(request, { caller: user() })).runs).toEqual([]);
  const many = { botHashes: Array.from({ length: 101 }, (_, n) => String(n)) };
  await expect(service.gateway.lastTestRuns(many, { caller })).rejects.toMatchObject({ reason: 'too-many-bots' });
});

test("sums matches and failed decisions by version of a user's bot, for the user and admins", async () => {
  const six = sixUsers();
  const [first = ''] = six;
  const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
  for (let match = 0; match < 2; match++) {
    await service.gateway.createMatch({ userIds: six, numRounds: 10, blinds }, { caller: admin });
    await playWith((userId) => (userId === first ? failed(userId) : clean(userId)));
  }
  const read = async (caller: Caller) =>
    (await service.gateway.listBotVersions({ userId: first }, { caller })).versions;
  const [version, ...others] = await read(admin);
  expect(others).toEqual([]);
  expect(version).toMatchObject({ matches: 2, decisions: 18, failedDecisions: 18 });
  expect(version?.botHash).toMatch(/^[0-9a-f]{64}$/);
  expect(await read(user(first))).toEqual([version]);
  await expect(read(user())).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(read({ kind: 'anonymous' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect((await service.gateway.listBotVersions({ userId: 'nobody' }, { caller: admin })).versions).toEqual([]);
});
