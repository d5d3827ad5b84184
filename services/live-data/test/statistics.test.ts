import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { type Sql, sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { admin, anonymous, leaseOf, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const read = (
  names: string[],
  {
    caller = admin,
    publicOnly = false,
    batchId = '',
  }: Partial<{ caller: Caller; publicOnly: boolean; batchId: string }> = {},
) => live.gateway.getPlayStatistics({ playerIds: names.map(userIdOf), publicOnly, batchId }, { caller });
type Statistics = Awaited<ReturnType<typeof read>>;
const figure = (found: Statistics, player: number, name: string, position = '') => {
  const one = found.players[player]?.figures.find(
    ({ statistic, position: place, street }) => statistic === name && place === position && street === '',
  );
  return [one?.count, one?.of];
};
const publish = (jobId: string, on = true) => live.gateway.toggleVisibility({ jobId, public: on }, { caller: admin });

test('counts the same actions as the stored hands have', async () => {
  const names = ['gil', 'hob', 'ivo'];
  const { match, play } = await live.finishMatch({ playerIds: names.map(userIdOf), numRounds: 90 });
  const found = await read(names.slice(0, 2));
  expect([found.matches, found.pending]).toEqual([1, 0]);
  expect(found.players.map(({ userId }) => userId)).toEqual(names.slice(0, 2).map(userIdOf));
  const { hands } = await live.gateway.searchHands({ jobId: match.jobId, pageSize: 200 }, { caller: admin });
  const shown = hands.filter(({ showdown }) => showdown);
  for (const [seat, { hands: dealt }] of found.players.entries()) {
    const decisions = play.records.map(({ actions }) =>
      actions.slice(2).filter((one) => one.seat === seat && one.street === 0),
    );
    const decided = decisions.filter((list) => list.length > 0);
    const voluntary = decided.filter((list) => list.some(({ amount }) => amount > 0));
    expect(figure(found, seat, 'vpip')).toEqual([voluntary.length, decided.length]);
    expect(dealt).toBeGreaterThan(0);
    const folds = (record: (typeof play.records)[number]) =>
      record.actions.some((one) => one.seat === seat && one.kind === 1);
    const atShowdown = shown.filter(({ hand }) => {
      const record = play.records[hand - 1];
      return record !== undefined && !folds(record);
    });
    expect(figure(found, seat, 'went_to_showdown')[0]).toBe(figure(found, seat, 'won_at_showdown')[1]);
    expect(figure(found, seat, 'won_at_showdown')[1]).toBe(atShowdown.length);
  }
});

test('sums matches and decision times by player, over shared matches and within a batch', async () => {
  const batchId = randomUUID();
  const players = ['jan', 'kim', 'lea'].map(userIdOf);
  const counts = DECISION_BOUNDS_MS.map((bound) => (bound === 5 ? 95 : bound === 200 ? 5 : 0));
  const one = await live.deliverMatch({ playerIds: players, numRounds: 30 });
  const times = { count: 100, p50Ms: 4, p95Ms: 5, maxMs: 150, counts };
  await live.runner.deliverSeatReport({ seat: 1, details: { times } }, { caller: leaseOf(one.match) });
  await live.runner.completeMatch(
    { handsPlayed: one.play.records.length, digest: one.play.digest },
    { caller: leaseOf(one.match) },
  );
  const other = await live.finishMatch(
    { playerIds: [userIdOf('lea'), userIdOf('mia'), userIdOf('jan')], numRounds: 30, batchId },
    { bots: 3 },
  );
  const [jan, shared, inBatch] = [await read(['jan']), await read(['jan', 'kim']), await read(['jan'], { batchId })];
  expect([jan.matches, shared.matches, inBatch.matches]).toEqual([2, 1, 1]);
  const sum = (name: string) =>
    [shared, inBatch].map((found) => figure(found, 0, name)[1] ?? 0).reduce((a, b) => a + b);
  for (const name of ['vpip', 'bet_size', 'won_at_showdown']) expect(figure(jan, 0, name)[1]).toBe(sum(name));
  await vi.waitFor(async () => expect((await read(['jan'])).players[0]?.luck?.pending).toBe(0), {
    timeout: 60_000,
    interval: 50,
  });
  const luck = (await read(['jan'])).players[0]?.luck;
  const nets = [one, other].map(
    ({ match, play }) => (play.stacks[match.playerIds.indexOf(userIdOf('jan'))] ?? 0) - 10_000,
  );
  expect([luck?.points, luck?.raw]).toEqual([
    [0, 1, 2],
    [0, nets[0], (nets[0] ?? 0) + (nets[1] ?? 0)],
  ]);
  const values = await live.gateway.getMatchLuck({ jobId: one.match.jobId }, { caller: admin });
  expect(luck?.adjusted[1]).toBe(values.players[0]?.adjusted.at(-1));
  expect(shared.players.map((player) => player.times?.count ?? null)).toEqual([null, 100]);
  expect(shared.players[1]?.times).toMatchObject({ p50Ms: 5, p95Ms: 5, maxMs: 150 });
});

test('shows others only the public matches, and leaves test runs out', async () => {
  const players = ['nat', 'oli', 'pia'].map(userIdOf);
  const { match } = await live.finishMatch({ playerIds: players, numRounds: 20 });
  await live.finishMatch({ playerIds: [userIdOf('nat'), houseUserId], numRounds: 10 });
  expect(await refusal(read(['nat'], { caller: anonymous }))).toMatch(/^UNAUTHENTICATED/);
  expect(await refusal(read(['nat'], { caller: user('oli') }))).toMatch(/^PERMISSION_DENIED/);
  const counted = async (caller: Caller, publicOnly: boolean) => (await read(['nat'], { caller, publicOnly })).matches;
  expect([await counted(user('nat'), false), await counted(admin, false), await counted(anonymous, true)]).toEqual([
    1, 1, 0,
  ]);
  await publish(match.jobId);
  expect(await counted(anonymous, true)).toBe(1);
  await publish(match.jobId, false);
  const hidden = await read(['nat', 'oli'], { caller: anonymous, publicOnly: true });
  expect([hidden.matches, hidden.players.map(({ hands }) => hands)]).toEqual([0, [0, 0]]);
  await live.gateway.purgeMatch({ jobId: match.jobId }, { caller: admin });
  expect(await counted(admin, false)).toBe(0);
  for (const names of [[], ['nat', 'oli', 'pia']])
    expect(await refusal(read(names))).toMatch(/^INVALID_ARGUMENT bad-players/);
  expect(await refusal(read(['nat'], { batchId: 'none' }))).toMatch(/^NOT_FOUND batch-not-found/);
});

test('leaves out matches in which fewer than two bots started', async () => {
  const { match, play } = await live.deliverMatch({ playerIds: ['quin', 'ria'].map(userIdOf), numRounds: 8 });
  const caller = leaseOf(match);
  await live.runner.deliverSeatReport({ seat: 1, details: { outKind: 'startup' } }, { caller });
  await live.runner.completeMatch({ handsPlayed: play.records.length, digest: play.digest }, { caller });
  expect((await read(['ria'])).matches).toBe(0);
});

test('counts matches of an earlier release in the background and reports how many are left', async () => {
  await live.finishMatch({ playerIds: ['sam', 'tom'].map(userIdOf), numRounds: 30 });
  const before = await read(['sam']);
  // Luck is computed separately, so it is not compared.
  const counted = ({ matches, pending, players }: Statistics) => ({ matches, pending, figures: players[0]?.figures });
  const query = (text: string) => live.database.admin.query(text);
  await query('UPDATE live_data.play_counters SET version = 0');
  const left = await read(['sam']);
  expect([left.matches, left.pending, left.players[0]?.hands]).toEqual([0, 1, 0]);
  const replica = await live.startReplica();
  await vi.waitFor(async () => expect(counted(await read(['sam']))).toEqual(counted(before)), {
    timeout: 20_000,
    interval: 50,
  });
  await replica.stop();
});

const query = (statement: Sql) => live.database.admin.query(statement);
const luckOf = (jobId: string, caller = user('ann')) => live.gateway.getMatchLuck({ jobId }, { caller });
const readyLuckOf = (jobId: string) =>
  vi.waitFor(
    async () => {
      const luck = await luckOf(jobId);
      expect(luck.ready).toBe(true);
      return luck;
    },
    { timeout: 150_000, interval: 50 },
  );

test('computes the values of a finished match', async () => {
  const { match, play } = await live.finishMatch({ numRounds: 150 });
  const { version, players } = await readyLuckOf(match.jobId);
  expect(version).toBe(LUCK_VERSION);
  expect(players.map(({ userId }) => userId)).toEqual(match.playerIds);
  expect(players.map(({ raw }) => raw.at(-1))).toEqual(play.stacks.map((chips) => chips - 10_000));
  for (const { adjusted, raw } of players) {
    expect(adjusted).toHaveLength(play.records.length);
    expect(adjusted).not.toEqual(raw);
  }
}, 200_000);

test('computes missing values before it removes those of an earlier version', async () => {
  const { match } = await live.finishMatch({ numRounds: 40 });
  const { jobId } = match;
  const before = await readyLuckOf(jobId);
  const earlier = LUCK_VERSION - 1;
  await query(sql`UPDATE live_data.match_values SET version = ${earlier} WHERE job_id = ${jobId}`);
  expect(await luckOf(jobId)).toEqual({ ...before, version: earlier });
  const replica = await live.startReplica();
  const versions = async () =>
    (await query(sql`SELECT version FROM live_data.match_values WHERE job_id = ${jobId}`)).rows;
  await vi.waitFor(async () => expect(await versions()).toEqual([{ version: LUCK_VERSION }]), {
    timeout: 150_000,
    interval: 50,
  });
  expect(await luckOf(jobId)).toEqual(before);
  await replica.stop();
  await live.gateway.purgeMatch({ jobId }, { caller: admin });
  expect(await versions()).toEqual([]);
}, 200_000);

test('shows nothing of a match in play or of a private match', async () => {
  const { match } = await live.deliverMatch({ numRounds: 100 }, { hands: 70 });
  expect(await refusal(luckOf(match.jobId))).toMatch(/^FAILED_PRECONDITION match-not-finished/);
  for (const caller of [anonymous, user('zoe')]) {
    expect(await refusal(luckOf(match.jobId, caller))).toMatch(/^PERMISSION_DENIED private-match/);
  }
  expect(await refusal(luckOf(userIdOf('nobody')))).toMatch(/^NOT_FOUND job-not-found/);
});
