import { randomUUID } from 'node:crypto';
import { housePlayers } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteUser } from '../src/events/user-changed.ts';
import { LadderStanding } from '../src/ladder/standing.ts';
import { countSets, expireLadder } from '../src/ladder/work/count-sets.ts';
import { createSetFormer } from '../src/ladder/work/form-sets.ts';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, startService, type TestService, user } from './start-service.ts';

const anyone = { kind: 'anonymous' } as const;
let service: TestService;
const players = Array.from({ length: 4 }, () => randomUUID());

beforeEach(async () => {
  service = await startService();
  for (const id of players) service.doubles.finals.set(id, randomUUID());
  await service.gateway.updateSettings({ ladderHands: 20 }, { caller: admin });
  // Two free runners.
  for (const name of ['runner-1', 'runner-2']) await service.claim(name);
});
afterEach(() => service.stop());

/** Plans a set, if there is room. A new former reads who takes part; that of the service is off. */
const form = () => createSetFormer({ ...service.context, settings: { ...service.context.settings, ladder: true } })();
const claimed = async () => {
  const found = await service.claim();
  await service.claim('runner-2');
  return found;
};

/** Plays the matches of the ladder that wait. `bad`: users whose bots did not start. */
async function play(bad: readonly string[] = []): Promise<number> {
  let played = 0;
  for (let match = await service.claim(); match !== null; match = await service.claim()) {
    service.doubles.adjusted = match.seats.map(({ userId }) => [userId, userId === players[0] ? 50.25 : -10.05]);
    const seatFaults = match.seats.map(({ userId }) => ({ userId, decisions: 9, neverStarted: bad.includes(userId) }));
    const results = match.seats.map(({ userId }) => ({ userId, delta: 0 }));
    await service.liveData.acceptResult({ ...match, handsPlayed: 20, results, digest: 'd', seatFaults });
    played += 1;
  }
  await countSets(service.context);
  return played;
}
const ladder = () => service.gateway.getLadder({}, { caller: anyone });
const seated = async () => {
  const { rows } = await service.pool.query<{ userId: string }>(
    sql`SELECT v.user_id AS "userId" FROM ladder_seats s JOIN ladder_versions v ON v.id = s.version_id ORDER BY s.set_id, s.seat`,
  );
  return rows.map(({ userId }) => userId);
};

test('plays a set of six rotations among all who take part and house bots, with one plan', async () => {
  expect(await form()).toBe(true);
  // One more set than runners are free, at most.
  expect(await form()).toBe(false);
  const table = await seated();
  expect(table).toEqual(expect.arrayContaining(players));
  expect(table.filter((id) => housePlayers.has(id))).toHaveLength(2);
  const { rows } = await service.pool.query(
    sql`SELECT count(*)::int AS jobs, count(DISTINCT plan_hash)::int AS plans, bool_and(commitment_number IS NOT NULL) AS committed,
          (SELECT count(*)::int FROM commitments WHERE kind = 'plan') AS records, (SELECT count(*)::int FROM pin_intents) AS intents
        FROM jobs WHERE kind = 'LADDER' AND stacks = 'reset'`,
  );
  expect(rows).toEqual([{ jobs: 6, plans: 1, committed: true, records: 1, intents: 0 }]);
  expect(await play()).toBe(6);

  const { entries, total } = await ladder();
  expect(total).toBe(6);
  expect(entries[0]).toMatchObject({ rank: 1, userId: players[0], version: 1, hands: 120, sets: 1, house: false });
  // The numbers follow from the stored sets: another replica has the same bits.
  const other = await new LadderStanding(service.pool).read();
  expect(other.ratings).toEqual((await service.context.ladder.read()).ratings);
  const history = await service.gateway.getLadderPlayer({ userId: players[0] }, { caller: anyone });
  const [entry] = entries;
  expect(history.versions[0]?.points).toMatchObject([{ rating: entry?.rating, low: entry?.low, high: entry?.high }]);
  expect(history.sets).toMatchObject([{ hands: 120, value: (100 * 6 * 50.25) / 120, jobIds: [] }]);
  const own = await service.gateway.getLadderPlayer({ userId: players[0] }, { caller: user(players[0]) });
  expect(own.sets[0]?.jobIds).toHaveLength(6);
});

test('is claimed while nothing else waits and a runner stays free, and is in no list or count', async () => {
  await form();
  const first = await service.mustClaim('runner-1');
  expect(first.numRounds).toBe(20);
  // The last free runner waits for a test run.
  expect(await service.claim('runner-2')).toBeNull();
  await service.gateway.createTestRun(bot, { caller: user(players[1]) });
  expect((await service.mustClaim('runner-2')).seats).toHaveLength(2);
  await service.gateway.createTestRun(bot, { caller: user(players[2]) });
  await service.accept(first);
  expect((await service.mustClaim('runner-1')).seats).toHaveLength(2);
  const jobs = await service.gateway.listJobs({ page: 1, pageSize: 50 }, { caller: admin });
  expect([jobs.total, (await service.gateway.countJobs({}, { caller: admin })).jobCount]).toEqual([2, 2]);
  expect((await service.gateway.listJobs({ playerId: players[0] }, { caller: user(players[0]) })).total).toBe(0);
});

describe('takes part', () => {
  const [ann = '', bob = '', cem = '', dee = ''] = players;
  test.each([
    ['an unverified user', (s: TestService) => s.doubles.unverified.add(ann)],
    ['a user without a final submission', (s: TestService) => s.doubles.finals.delete(ann)],
    [
      'a user who has opted out',
      (s: TestService) => s.gateway.setLadderPart({ takesPart: false }, { caller: user(ann) }),
    ],
    [
      'a deleted user',
      async (s: TestService) => {
        await deleteUser(s.context, ann);
        s.doubles.finals.delete(ann);
      },
    ],
  ])('no longer: %s, while the set in play ends', async (_, change) => {
    await form();
    const match = await service.mustClaim();
    await change(service);
    await service.accept(match);
    await play();
    await form();
    expect((await ladder()).entries.map(({ userId }) => userId)).not.toContain(ann);
    const last = await service.pool.query(sql`SELECT v.user_id FROM ladder_sets l JOIN ladder_seats s ON s.set_id = l.id
      JOIN ladder_versions v ON v.id = s.version_id WHERE l.state = 'playing'`);
    expect(last.rows.map((row) => row.user_id)).toEqual(expect.arrayContaining([bob, cem, dee]));
    expect(last.rows.map((row) => row.user_id)).not.toContain(ann);
  });
});

test('pauses a bot that fails in most matches of three sets, until a new submission is final', async () => {
  const [bad = ''] = players.slice(-1);
  for (let set = 1; set <= 3; set++) {
    await form();
    await play([bad]);
  }
  const part = () => service.gateway.getLadderPart({}, { caller: user(bad) });
  expect((await part()).pauseReason).toContain('did not start in 6 of 6 matches');
  expect((await ladder()).entries.find(({ userId }) => userId === bad)).toMatchObject({ paused: true, sets: 3 });
  expect((await service.audited()).filter(({ action }) => action === 'ladder.paused')).toHaveLength(1);
  await form();
  await play();
  expect((await ladder()).entries.find(({ userId }) => userId === bad)).toMatchObject({ sets: 3 });
  service.doubles.finals.set(bad, randomUUID());
  await form();
  await play();
  expect((await ladder()).entries.find(({ userId }) => userId === bad)).toMatchObject({ paused: false, sets: 4 });
  expect((await part()).pauseReason).toBe('');
});

test('plays without a bot whose packages cannot be used any more', async () => {
  const [broken = ''] = players;
  service.doubles.requirements.set(broken, 'gone==1.0');
  service.doubles.prepare = () => {
    throw new DomainError('FAILED_PRECONDITION', 'packages-refused', 'gone 1.0 was withdrawn.');
  };
  await form();
  const { seats } = await vi.waitFor(() => service.mustClaim(), { timeout: 20_000 });
  for (const { userId, unfetchable } of seats) expect(unfetchable.includes('gone 1.0')).toBe(userId === broken);
});

test('keeps the pace and the freeze, and stays off when it is switched off', async () => {
  for (const change of [{ ladderHandsADay: 0 }, { frozen: true }]) {
    await service.gateway.updateSettings({ ladderHandsADay: 2_000_000, frozen: false, ...change }, { caller: admin });
    expect(await form(), JSON.stringify(change)).toBe(false);
  }
  await service.gateway.updateSettings({ ladderHandsADay: 240, frozen: false }, { caller: admin });
  for (const formed of [true, false]) {
    expect(await form()).toBe(formed);
    await play();
  }
  service.clock.advance(3_700_000);
  await claimed();
  expect(await form()).toBe(true);
  await play();
  await service.gateway.updateSettings({ ladder: false }, { caller: admin });
  service.clock.advance(3_700_000);
  await claimed();
  expect(await form()).toBe(false);
});

test('voids a set of which a match is lost, and deletes old matches but not their results', async () => {
  await form();
  const match = await service.mustClaim();
  await service.gateway.deleteJob({ jobId: match.jobId }, { caller: admin });
  await sweep(service.context);
  await play();
  expect((await ladder()).entries).toEqual([]);
  await claimed();
  await form();
  await play();
  const before = (await ladder()).entries;
  expect(before).toHaveLength(6);
  service.clock.advance(8 * 24 * 3_600_000);
  await expireLadder(service.context);
  await sweep(service.context);
  const { rows } = await service.pool.query(sql`SELECT (SELECT count(*)::int FROM jobs WHERE kind = 'LADDER') AS jobs,
    (SELECT count(*)::int FROM deleted_matches) AS remembered, (SELECT count(*)::int FROM plans) AS plans`);
  expect(rows).toEqual([{ jobs: 0, remembered: 0, plans: 0 }]);
  expect((await ladder()).entries.map(({ rating, sets }) => [rating, sets])).toEqual(
    before.map(({ rating, sets }) => [rating, sets]),
  );
});
