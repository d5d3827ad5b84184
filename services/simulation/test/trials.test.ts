import { randomUUID } from 'node:crypto';
import { type TrialPair, trialDecision } from '@husky/estimate/trial';
import { readPlan } from '@husky/match/plan-names';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteUser } from '../src/events/user-changed.ts';
import { expireLadder } from '../src/ladder/work/count-sets.ts';
import { createSetFormer } from '../src/ladder/work/form-sets.ts';
import { runTrials } from '../src/trials/work/run-trials.ts';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, startService, type TestService, user } from './start-service.ts';

let service: TestService;
const ann = user();
const [a, b] = [randomUUID(), randomUUID()];
const rule = { a, b, field: 'house', alpha: 0.05, margin: 5, maxHands: 4800, numRounds: 20 };

beforeEach(async () => {
  service = await startService();
  for (const id of [a, b]) addUpload(id);
});
afterEach(() => service.stop());

const addUpload = (id: string, more: { readonly userId?: string; readonly content?: string } = {}) =>
  service.doubles.uploads.set(id, { userId: ann.id, uploadedAt: new Date(0).toISOString(), ...more });
const create = (more: Partial<typeof rule> = {}, caller = ann) =>
  service.gateway.createTrial({ ...rule, ...more }, { caller });
const read = (trialId: string) => service.gateway.getTrial({ trialId }, { caller: ann });
const jobsOf = async () => {
  const { rows } = await service.pool.query<{ id: string; rotation: number; state: string; setId: string }>(
    sql`SELECT id, rotation, state, deal_set_id AS "setId" FROM jobs WHERE kind = 'TRIAL' ORDER BY job_number`,
  );
  return rows;
};

/** Plays what waits, A with `chips(set)` more than B, and lets the trial go on, until nothing waits. */
async function play(chips: (set: number) => number, more: object = {}): Promise<void> {
  const sets: string[] = [];
  for (;;) {
    await runTrials(service.context);
    const match = await service.claim();
    if (match === null) return;
    const job = (await jobsOf()).find(({ id }) => id === match.jobId);
    if (!sets.includes(job?.setId ?? '')) sets.push(job?.setId ?? '');
    const won = (job?.rotation ?? 0) <= 6 ? chips(sets.length) / 6 : 0;
    service.doubles.tried.set(match.jobId, { userId: ann.id, chips: won });
    const results = match.seats.map(({ userId }) => ({ userId, delta: 0 }));
    await service.liveData.acceptResult({ ...match, handsPlayed: match.numRounds, results, digest: 'd', ...more });
  }
}

test('plays both versions in the same seats with the same cards, with one plan for a deal set, until the test decides', async () => {
  const { id } = await create({ maxHands: 48_000 });
  await runTrials(service.context);
  expect(service.doubles.pins.get(id)?.size).toBe(7);
  const jobs = await jobsOf();
  expect(jobs).toHaveLength(3 * 12);
  const { rows } = await service.pool.query<{ facts: string; text: string; seats: string[][] }>(
    sql`SELECT p.text, (SELECT count(DISTINCT deal_set_id)::int FROM jobs) AS sets,
          (SELECT jsonb_agg(s.seats ORDER BY s.rotation) FROM (SELECT j.rotation, (SELECT jsonb_agg(bot_hash ORDER BY seat) FROM job_seats WHERE job_id = j.id) AS seats
             FROM jobs j WHERE j.deal_set_id = p.id) s) AS seats FROM plans p ORDER BY p.id LIMIT 1`,
  );
  const plan = JSON.parse(rows[0]?.text ?? '{}');
  expect(plan).toMatchObject({ kind: 'deal-set', matches: 12, tables: ['ABCDEF'], seeds: { count: 1 } });
  expect(plan.roster).toHaveLength(7);
  const seats = rows[0]?.seats ?? [];
  const [hashA, hashB] = [seats[0]?.[0], seats[6]?.[0]];
  expect(hashA).not.toBe(hashB);
  for (let at = 0; at < 6; at++) {
    expect(seats[at]?.indexOf(hashA ?? '')).toBe(at);
    expect(seats[at + 6]).toEqual(seats[at]?.map((hash) => (hash === hashA ? hashB : hash)));
  }
  const [first] = jobs;
  const shown = await service.gateway.getPlan({ jobId: first?.id ?? '', batchId: '' }, { caller: ann });
  for (const job of jobs.filter(({ setId }) => setId === first?.setId)) {
    const { commitmentDetails } = await service.read(job.id);
    const facts = JSON.parse(commitmentDetails?.publicInput ?? '{}');
    expect(facts.plan.game).toBe(job.rotation);
    expect(readPlan({ text: shown.text, names: [] } as never, facts).place.matches).toBe(12);
  }
  expect(await read(id)).toMatchObject({
    state: 'playing',
    verdict: '',
    decision: { hands: 0 },
    opponentIds: { length: 5 },
  });

  const chips = (set: number) => 2000 + 100 * (set % 3);
  await play(chips);
  const found = await read(id);
  const pairs = found.sets.map(
    (_, index): TrialPair => ({ difference: (Math.round((100 * chips(index + 1)) / 6) * 6) / 100, hands: 120 }),
  );
  const expected = trialDecision(pairs, { alpha: 0.05, margin: 50 });
  expect(trialDecision(pairs.slice(0, -1), { alpha: 0.05, margin: 50 }).verdict).toBe('undecided');
  expect(found).toMatchObject({ state: 'finished', verdict: 'better', decision: { hands: expected.hands } });
  expect(found.decision?.estimate).toBeCloseTo(expected.estimate / 10, 6);
  expect(found.decision?.low).toBeCloseTo(expected.low / 10, 6);
  expect(found.different).toMatchObject({ length: 5, 0: { hand: 1, b: 0 } });
  expect(found.sets.every(({ dealKey }) => /^[0-9a-f]{64}$/.test(dealKey))).toBe(true);
  // What was planned ahead is stopped, and the pins are released.
  expect((await jobsOf()).filter(({ state }) => !['FINISHED', 'FAILED'].includes(state))).toEqual([]);
  await sweep(service.context);
  expect(service.doubles.pins.has(id)).toBe(false);
});

test('says worse, and undecided when the budget ends; replicas and a crash between two steps count each set once', async () => {
  const { id: worse } = await create({ maxHands: 48_000 });
  await play((set) => -2000 - 100 * (set % 3));
  expect(await read(worse)).toMatchObject({ verdict: 'worse' });
  const { id } = await create({ maxHands: 1500 });
  await Promise.all([runTrials(service.context), runTrials(service.context), runTrials(service.context)]);
  await play(() => 10);
  await Promise.all([runTrials(service.context), runTrials(service.context)]);
  expect(await read(id)).toMatchObject({
    state: 'finished',
    verdict: 'undecided',
    decision: { hands: 1440 },
    sets: { length: 6 },
  });
});

test('waits while others wait, and its matches are in no list and for nobody else', async () => {
  const names = ['runner-1', 'runner-2'];
  for (const name of names) await service.claim(name);
  service.doubles.finals.set(ann.id, randomUUID());
  const opponent = randomUUID();
  service.doubles.finals.set(opponent, randomUUID());
  // The opponent is on the ladder.
  await createSetFormer({ ...service.context, settings: { ...service.context.settings, ladder: true } })();
  const { id, opponentIds } = await create({ field: 'neighbours' });
  expect(opponentIds[0]).toBe(opponent);
  expect(opponentIds).not.toContain(ann.id);
  await runTrials(service.context);
  const run = await service.newRun();
  expect((await service.mustClaim()).jobId).toBe(run);
  // One runner stays free for the next test run.
  expect(await service.claim('runner-2')).toBeNull();
  await service.gateway.createTestRun(bot, { caller: user() });
  expect((await service.mustClaim('runner-2')).seats).toHaveLength(2);
  const [job] = await jobsOf();
  const jobId = job?.id ?? '';
  expect((await service.gateway.getJob({ jobId }, { caller: ann })).kind).toBe('TRIAL');
  for (const caller of [user(opponent), user()]) {
    await expect(service.gateway.getJob({ jobId }, { caller })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(service.gateway.getPlan({ jobId, batchId: '' }, { caller })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    for (const call of [service.gateway.getTrial, service.gateway.cancelTrial]) {
      await expect(call({ trialId: id }, { caller })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Trial not found',
      });
    }
  }
  const page = { page: 1, pageSize: 50 };
  expect((await service.gateway.listJobs({ ...page, ownerId: ann.id }, { caller: ann })).total).toBe(0);
  expect((await service.gateway.listTrials(page, { caller: ann })).trials).toMatchObject([{ id, state: 'playing' }]);
  expect((await service.gateway.listTrials(page, { caller: user(opponent) })).total).toBe(0);
  expect(await service.gateway.getTrial({ trialId: id }, { caller: admin })).toMatchObject({ id });
});

test('gives the next runner to the owner who holds the fewest', async () => {
  for (const name of ['runner-1', 'runner-2', 'runner-3']) await service.claim(name);
  const bob = user();
  const [c, d] = [randomUUID(), randomUUID()];
  for (const id of [c, d]) addUpload(id, { userId: bob.id });
  await create();
  await create({ a: c, b: d }, bob);
  await runTrials(service.context);
  const owners = [];
  for (const name of ['runner-1', 'runner-2']) {
    const { seats } = await service.mustClaim(name);
    owners.push(seats.some(({ userId }) => userId === bob.id) ? 'bob' : 'ann');
  }
  expect(owners.sort()).toEqual(['ann', 'bob']);
});

test('refuses what cannot be compared, values out of bounds, and what exceeds a quota', async () => {
  const [same, foreign] = [randomUUID(), randomUUID()];
  addUpload(same, { content: a });
  addUpload(foreign, { userId: randomUUID() });
  const own = (maxTrialHandsADay?: number) =>
    service.gateway.setUserQuota({ userId: ann.id, own: { maxTrialHandsADay } }, { caller: admin });
  const twice = [() => own(), () => create(), () => create()];
  const leaving = randomUUID();
  const leave = async () => {
    service.doubles.finals.set(leaving, randomUUID());
    await service.claim();
    await createSetFormer({ ...service.context, settings: { ...service.context.settings, ladder: true } })();
    await deleteUser(service.context, leaving);
    await service.pool.query(sql`UPDATE ladder_versions SET active = true WHERE user_id = ${leaving}`);
  };
  const freeze = () => service.gateway.updateSettings({ frozen: true }, { caller: admin });
  const cases: [string, RegExp, Partial<typeof rule>, ...(() => Promise<unknown>)[]][] = [
    ['ALREADY_EXISTS', /same files/, { b: a }],
    ['ALREADY_EXISTS', /same files/, { b: same }],
    ['NOT_FOUND', /Submission not found/, { b: foreign }],
    ['NOT_FOUND', /Submission not found/, { b: randomUUID() }],
    ['INVALID_ARGUMENT', /'neighbours' or 'house'/, { field: 'friends' }],
    ['INVALID_ARGUMENT', /alpha\) is 0.001 to 0.5\.$/, { alpha: 0.6 }],
    ['INVALID_ARGUMENT', /The margin is 0.1 to 1,000 big blinds/, { margin: -1 }],
    ['INVALID_ARGUMENT', /max_hands\) is 120 to 2,000,000 hands/, { maxHands: 3_000_000 }],
    ['INVALID_ARGUMENT', /A deal set has 240 hands/, { maxHands: 200 }],
    ['INVALID_ARGUMENT', /rotation is 10 to 200/, { numRounds: 5 }],
    ['FAILED_PRECONDITION', /An opponent has left/, { field: 'neighbours' }, leave],
    ['RESOURCE_EXHAUSTED', /may play 400,000 hands, but 300,000 of/, { maxHands: 400_000 }],
    ['FAILED_PRECONDITION', /no trials at present/, {}, () => own(0)],
    ['RESOURCE_EXHAUSTED', /already have 2 trials/, {}, ...twice],
    ['FAILED_PRECONDITION', /frozen/, {}, freeze],
  ];
  for (const [code, message, request, ...before] of cases) {
    for (const step of before) await step();
    const refused = expect.objectContaining({ code, message: expect.stringMatching(message) });
    await expect(create(request), message.source).rejects.toEqual(refused);
  }
  expect((await service.gateway.listTrials({}, { caller: ann })).total).toBe(2);
});

test('counts a budget in the quota until what was played is known', async () => {
  const left = async () => (await service.gateway.listTrials({}, { caller: ann })).handsLeft;
  const { id } = await create();
  expect(await left()).toBe(300_000 - 4800);
  await runTrials(service.context);
  await service.gateway.cancelTrial({ trialId: id }, { caller: ann });
  expect(await left()).toBe(300_000 - 3 * 240);
  service.clock.advance(25 * 3_600_000);
  expect(await left()).toBe(300_000);
  const actions = (await service.audited()).map(({ action }) => action).filter((action) => action.startsWith('trial'));
  expect(actions).toEqual(['trial.created', 'trial.cancelled']);
});

test.each<[string, RegExp, string, (id: string) => Promise<unknown>]>([
  ['its owner cancels it', /^$/, 'cancelled', (trialId) => service.gateway.cancelTrial({ trialId }, { caller: ann })],
  [
    'an opponent deletes the account',
    /An opponent has left the platform/,
    'failed',
    async (id) => {
      await service.pool.query(
        sql`UPDATE trials SET seats = jsonb_set(seats, '{3,userId}', ${JSON.stringify(lost)}::jsonb) WHERE id = ${id}`,
      );
      await deleteUser(service.context, lost);
    },
  ],
  [
    'a version does not start',
    /^A did not play to the end of match [-\w]+: it did not start/,
    'failed',
    () => play(() => 0, { seatFaults: [{ userId: ann.id, neverStarted: true }] }),
  ],
])('ends when %s', async (_, problem, state, happens) => {
  const { id } = await create();
  await runTrials(service.context);
  await happens(id);
  await runTrials(service.context);
  expect(await read(id)).toMatchObject({ state, verdict: '', problem: expect.stringMatching(problem) });
  expect((await jobsOf()).filter(({ state: job }) => !['FINISHED', 'FAILED'].includes(job))).toEqual([]);
  expect(await service.claim()).toBeNull();
});
const lost = randomUUID();

test('a set with a failed or deleted match counts for neither, and a third one ends the trial', async () => {
  const { id } = await create();
  for (const voids of [1, 2, 3]) {
    await runTrials(service.context);
    const jobs = (await jobsOf()).filter(({ state }) => state === 'QUEUED');
    await service.gateway.deleteJob({ jobId: jobs[0]?.id ?? '' }, { caller: ann });
    await runTrials(service.context);
    expect(await read(id)).toMatchObject({
      voidSets: voids < 3 ? voids : 5,
      sets: [],
      state: voids < 3 ? 'playing' : 'failed',
    });
  }
  expect((await read(id)).problem).toMatch(/^Matches of 3 deal sets failed/);
});

test('waits during a freeze, and goes on afterwards', async () => {
  const { id } = await create({ maxHands: 480 });
  await service.gateway.updateSettings({ frozen: true }, { caller: admin });
  await play(() => 10);
  const frozen = await read(id);
  expect(frozen).toMatchObject({ state: 'playing', problem: expect.stringMatching(/frozen by the organisers/) });
  await service.gateway.updateSettings({ frozen: false }, { caller: admin });
  await play(() => 10);
  expect(await read(id)).toMatchObject({ state: 'finished' });
});

test('matches go after the days of the ladder, the result stays; an account takes all with it', async () => {
  const { id } = await create({ maxHands: 480 });
  await play(() => 10);
  const before = await read(id);
  service.clock.advance(8 * 24 * 3_600_000);
  await expireLadder(service.context);
  await sweep(service.context);
  expect(await jobsOf()).toEqual([]);
  expect(await read(id)).toEqual(before);
  const { id: second } = await create({ maxHands: 480 });
  await runTrials(service.context);
  await service.accept(await service.mustClaim());
  await deleteUser(service.context, ann.id);
  await sweep(service.context);
  await expect(service.gateway.getTrial({ trialId: second }, { caller: admin })).rejects.toThrow(DomainError);
  await vi.waitFor(async () => expect((await service.pool.query(sql`SELECT FROM trials`)).rowCount).toBe(0), 10_000);
});
