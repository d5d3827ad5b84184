import { createHash, randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test } from 'vitest';
import { admin, anonymous, leaseOf, startLiveData, user } from './service.ts';
import { newMatch, userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const asAdmin = { caller: admin };
const totals = (publicOnly: boolean) => live.gateway.listMatches({ page: 1, pageSize: 1000, publicOnly }, asAdmin);

test('makes a batch public and private again, including matches added later and the totals of the lists', async () => {
  const batchId = randomUUID();
  const one = await live.finishMatch({ batchId, numRounds: 8 });
  const two = await live.finishMatch({ batchId, numRounds: 8 });
  const other = await live.finishMatch({ numRounds: 8 });
  const before = await totals(true);
  const set = await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  const hands = one.play.records.length + two.play.records.length;
  expect(set).toEqual({ batchId, isPublic: true, matches: 2, hands });
  expect(await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin)).toMatchObject({ matches: 0 });
  const after = await totals(true);
  expect(after.matches.map((match) => match.jobId).sort()).toEqual([one.match.jobId, two.match.jobId].sort());
  expect([after.total - before.total, after.totalGames - before.totalGames]).toEqual([2, hands]);
  expect(after.totalPlayers).toBe(6);
  await live.gateway.listHands({ jobId: one.match.jobId }, { caller: anonymous });
  expect(await refusal(live.gateway.listHands({ jobId: other.match.jobId }, { caller: anonymous }))).toMatch(
    /^PERMISSION_DENIED/,
  );

  const later = await live.finishMatch({ batchId, numRounds: 8 });
  await live.gateway.listHands({ jobId: later.match.jobId }, { caller: anonymous });
  const known = newMatch({ batchId });
  live.simulation.put(known);
  expect((await live.gateway.getMatchAccess({ jobId: known.jobId }, { caller: anonymous })).isPublic).toBe(true);
  const request = { batchIds: [batchId, randomUUID(), 'no id'] };
  expect((await live.gateway.listPublicBatches(request, { caller: anonymous })).batchIds).toEqual([batchId]);

  const asVisitor = { caller: anonymous };
  const digestOf = (...matches: (typeof one)[]) => {
    const lines = matches.map(({ match, play }) => `${match.jobId} ${play.digest}\n`);
    return createHash('sha256').update(lines.sort().join('')).digest('hex');
  };
  expect(await live.gateway.getSnapshot({ batchId }, asVisitor)).toMatchObject({
    matches: 3,
    hands: hands + later.play.records.length,
    digest: digestOf(one, two, later),
  });

  // Makes one match private, then the whole batch.
  await live.gateway.toggleVisibility({ jobId: two.match.jobId }, asAdmin);
  expect((await live.gateway.getSnapshot({ batchId }, asVisitor)).digest).toBe(digestOf(one, later));
  expect((await live.gateway.getSnapshot({ jobId: one.match.jobId }, asVisitor)).digest).toBe(digestOf(one));
  const hidden = await live.gateway.setBatchVisibility({ batchId }, asAdmin);
  expect(hidden).toMatchObject({ isPublic: false, matches: 3 });
  for (const request of [{ batchId }, { jobId: one.match.jobId }, { jobId: 'x' }, {}])
    expect(await refusal(live.gateway.getSnapshot(request, asAdmin))).toMatch('NOT_FOUND');
  const end = await totals(true);
  expect([end.total, end.totalGames, end.totalPlayers]).toEqual([before.total, before.totalGames, before.totalPlayers]);
  expect((await totals(false)).total).toBe(4);
});

test('finds matches by player, by the prefix of their id and by visibility', async () => {
  const one = await live.finishMatch({ numRounds: 8 });
  const { jobId, playerIds } = one.match;
  const other = await live.finishMatch({ numRounds: 8 });
  const found = async (request: object) => {
    const { matches, total } = await live.gateway.listMatches({ page: 1, pageSize: 1000, ...request }, asAdmin);
    expect(total).toBe(matches.length);
    return matches.map((match) => match.jobId);
  };
  const ofPlayer = await found({ playerId: playerIds[0] ?? '' });
  expect(ofPlayer).toContain(jobId);
  expect(await found({ playerId: playerIds[0] ?? '', status: 'Running' })).toEqual([]);
  expect(await found({ jobIdBegins: jobId.slice(0, 13) })).toEqual([jobId]);
  expect(await found({ playerId: randomUUID() })).toEqual([]);
  for (const request of [{ playerId: 'nobody' }, { jobIdBegins: 'zz' }]) expect(await found(request)).toEqual([]);
  await live.gateway.toggleVisibility({ jobId: other.match.jobId, public: true }, asAdmin);
  const hidden = await found({ privateOnly: true });
  expect(hidden).toContain(jobId);
  expect(hidden).not.toContain(other.match.jobId);
  expect(await found({ privateOnly: true, jobIdBegins: other.match.jobId })).toEqual([]);
  await live.gateway.toggleVisibility({ jobId: other.match.jobId, public: false }, asAdmin);
});

test('counts a match in which fewer than two bots started as played, with deltas of 0', async () => {
  const batchId = randomUUID();
  const { match, play } = await live.deliverMatch({ batchId, numRounds: 8 });
  const caller = leaseOf(match);
  for (const seat of match.playerIds.keys()) {
    if (seat > 0) await live.runner.deliverSeatReport({ seat, details: { outKind: 'startup' } }, { caller });
  }
  await live.runner.completeMatch({ handsPlayed: play.records.length, digest: play.digest }, { caller });
  const { matches, players } = await live.gateway.getResults({ batchId }, asAdmin);
  expect([matches, players.map(({ delta, wins }) => delta + wins)]).toEqual([1, match.playerIds.map(() => 0)]);
});

test('refuses the second of two concurrent requests to publish a match', async () => {
  const { match } = await live.finishMatch({ numRounds: 8 });
  const publish = () => refusal(live.gateway.toggleVisibility({ jobId: match.jobId, public: true }, asAdmin));
  const outcomes = await Promise.all([publish(), publish()]);
  expect(outcomes.sort()).toEqual(['ABORTED already-so: This match is public already.', 'OK']);
  expect((await live.gateway.getMatchAccess({ jobId: match.jobId }, asAdmin)).isPublic).toBe(true);
  await live.gateway.toggleVisibility({ jobId: match.jobId, public: false }, asAdmin);
});

test('keeps totals consistent when a batch and single matches are toggled concurrently', async () => {
  const batchId = randomUUID();
  const matches = await Promise.all(Array.from({ length: 4 }, () => live.finishMatch({ batchId, numRounds: 8 })));
  await Promise.all([
    ...matches.map(({ match }) => live.gateway.toggleVisibility({ jobId: match.jobId }, asAdmin)),
    live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin),
    live.gateway.setBatchVisibility({ batchId, public: false }, asAdmin),
    live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin),
  ]);
  const listed = await totals(true);
  expect(listed.total).toBe(listed.matches.length);
  expect(listed.totalGames).toBe(listed.matches.reduce((sum, match) => sum + match.hands, 0));
  expect(listed.totalPlayers).toBe(new Set(listed.matches.flatMap((match) => match.playerIds)).size);
});

test('lets only admins change visibility', async () => {
  for (const caller of [anonymous, user('ann')]) {
    expect(await refusal(live.gateway.setBatchVisibility({ batchId: randomUUID() }, { caller }))).toMatch(
      /^(UNAUTHENTICATED|PERMISSION_DENIED)/,
    );
  }
  expect(await refusal(live.gateway.setBatchVisibility({ batchId: 'no id' }, asAdmin))).toMatch(/^NOT_FOUND/);
});

test('sums the results of a public batch, and hides a private one from everybody but admins', async () => {
  const batchId = randomUUID();
  const names = ['ann', 'ben', 'cas', 'dan', 'eve', 'fay'];
  const playerIds = names.map(userIdOf);
  const one = await live.finishMatch({ batchId, playerIds, numRounds: 8 }, { bots: 1 });
  const two = await live.finishMatch({ batchId, playerIds: playerIds.toReversed(), numRounds: 8 }, { bots: 2 });
  await live.deliverMatch({ batchId, playerIds, numRounds: 8 }, { hands: 4 });
  const read = (caller: Caller) => live.gateway.getResults({ batchId }, { caller });
  for (const caller of [anonymous, user('ann')]) {
    expect(await refusal(read(caller))).toBe('NOT_FOUND batch-not-found: Batch not found');
  }
  const delta = (id: string, { match, play }: typeof one) => (play.stacks[match.playerIds.indexOf(id)] ?? 0) - 10_000;
  // Both matches have the same game number, so the ids determine the order.
  const [first, second] = one.match.jobId < two.match.jobId ? [one, two] : [two, one];
  const results = await read(admin);
  expect(results).toMatchObject({ matches: 2, hands: one.play.records.length + two.play.records.length });
  expect(results.points).toEqual([0, 1, 2]);
  for (const { userId, delta: sum, curve, wonFrom } of results.players) {
    expect(curve).toEqual([0, delta(userId, first), delta(userId, first) + delta(userId, second)]);
    expect([sum, wonFrom.reduce((all, chips) => all + chips, 0)]).toEqual([curve[2], curve[2]]);
  }

  await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  expect(await read(anonymous)).toEqual(results);
  const both = { playerIds: [userIdOf('ann'), userIdOf('ben')] };
  const asAnonymous = { caller: anonymous };
  const shared = await live.gateway.getResults(both, asAnonymous);
  expect([shared.matches, shared.players.map(({ shared: tables }) => tables)]).toEqual([
    2,
    [
      [0, 2],
      [2, 0],
    ],
  ]);
  await live.gateway.toggleVisibility({ jobId: two.match.jobId, public: false }, asAdmin);
  expect((await read(anonymous)).matches).toBe(1);
  expect((await read(admin)).matches).toBe(2);
  expect((await live.gateway.getResults(both, asAdmin)).matches).toBe(1);
  await live.gateway.setBatchVisibility({ batchId, public: false }, asAdmin);
  expect((await live.gateway.getResults(both, asAnonymous)).matches).toBe(0);
  for (const playerIds of [[], ['ann'], names.map(userIdOf)]) {
    expect(await refusal(live.gateway.getResults({ playerIds }, asAnonymous))).toMatch(/^INVALID_ARGUMENT bad-players/);
  }
});

test('publishes audit events for changes of visibility, but not for calls without a change', async () => {
  // A trigger copies the events before the relay deletes them.
  await live.database.admin.query(`
    CREATE TABLE live_data.copied_events (id bigserial PRIMARY KEY, payload bytea);
    CREATE FUNCTION live_data.copy_event() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS
      'BEGIN INSERT INTO live_data.copied_events (payload) VALUES (NEW.payload); RETURN NEW; END';
    CREATE TRIGGER copy_event AFTER INSERT ON live_data.outbox FOR EACH ROW EXECUTE FUNCTION live_data.copy_event();`);
  const batchId = randomUUID();
  const { match } = await live.finishMatch({ batchId, numRounds: 8 });
  await live.gateway.toggleVisibility({ jobId: match.jobId }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId }, asAdmin);
  const { rows } = await live.database.admin.query<{ payload: Buffer }>(
    'SELECT payload FROM copied_events ORDER BY id',
  );
  const records = rows.map((row) => audited('live_data').decode(row.payload));
  expect(records.map((one) => [one.action, one.subjectId, one.beforeJson, one.afterJson])).toEqual([
    ['job.visibility_changed', match.jobId, '{"public":false}', '{"public":true}'],
    ['batch.visibility_changed', batchId, '{"public":false}', '{"public":true,"jobs":0}'],
    ['batch.visibility_changed', batchId, '{"public":true}', '{"public":false,"jobs":1}'],
  ]);
  expect(new Set(records.map((one) => one.actorId))).toEqual(new Set([admin.kind === 'user' ? admin.id : '']));
});
