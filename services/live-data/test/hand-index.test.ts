import { type Sql, sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { admin, anonymous, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const privateText = 'PERMISSION_DENIED private-match: This game is private and cannot be accessed.';
const noHand = 'NOT_FOUND no-hand-of-the-day: No public match has a hand to show yet.';
const blinds = { bigBlind: 50, multiplier: '1.5', interval: 20 };
const setPublic = (jobId: string, on: boolean) =>
  live.gateway.toggleVisibility({ jobId, public: on }, { caller: admin });
const query = (statement: Sql) => live.database.admin.query(statement);

test('lists hands with board, pot, winners and nets that agree with the replays', async () => {
  const { match, play } = await live.finishMatch({ numRounds: 60, blinds });
  const { jobId } = match;
  const all = await live.gateway.searchHands({ jobId, pageSize: 200 }, { caller: user('ann') });
  expect([all.total, all.matchHands, all.playerIds]).toEqual([
    play.records.length,
    play.records.length,
    match.playerIds,
  ]);
  for (const { gameId, hand, board, nets, showdown, winningHand, faultSeats } of all.hands) {
    expect(nets).toEqual(play.records[hand - 1]?.deltas);
    const replay = JSON.parse((await live.gateway.getHand({ gameId }, { caller: admin })).gameJson);
    expect(replay.finalBoard).toEqual(board);
    expect(winningHand !== '').toBe(showdown);
    const faults = play.records[hand - 1]?.actions.filter(({ fault }) => fault !== undefined) ?? [];
    expect(faultSeats).toEqual(faults.map(({ seat }) => seat).sort());
  }
  const columns = await live.gateway.getHandColumns({ jobId }, { caller: user('ann') });
  expect(columns.pots).toEqual(all.hands.map(({ pot }) => pot));
  expect(columns).toMatchObject({ attempt: 1, startingStack: 10_000, stacks: 'carry' });
  const ann = userIdOf('ann');
  const losses = { jobId, playerId: ann, sort: 'net', net: 'loss', pageSize: 3 };
  const worst = await live.gateway.searchHands(losses, { caller: user('ann') });
  const expected = play.records
    .map(({ deltas }) => deltas[0] ?? 0)
    .filter((net) => net < 0)
    .sort((a, b) => a - b);
  expect(worst.hands.map(({ nets }) => nets[0])).toEqual(expected.slice(0, 3));
  expect(worst.total).toBe(expected.length);
  for (const [change, reason] of [
    [{ playerId: userIdOf('zoe') }, 'not-in-match'],
    [{ sort: 'net' }, 'no-player'],
    [{ sort: 'size' }, 'bad-sort'],
    [{ street: 'showdown' }, 'bad-street'],
    [{ pageSize: 201 }, 'page-invalid'],
  ] as const) {
    expect(await refusal(live.gateway.searchHands({ jobId, ...change }, { caller: admin }))).toContain(reason);
  }
});

test('lists the stored hands of a running match and no highlights', async () => {
  const { match } = await live.deliverMatch({ numRounds: 100 }, { hands: 70 });
  const found = await live.gateway.searchHands(
    { jobId: match.jobId, sort: 'pot', descending: true },
    { caller: admin },
  );
  expect([found.total, found.hands.length]).toEqual([70, 70]);
  expect(await live.gateway.listHighlights({ jobId: match.jobId }, { caller: admin })).toEqual({ highlights: [] });
});

test('shows nothing of a private match', async () => {
  const { match } = await live.finishMatch({ numRounds: 40, blinds });
  const { jobId } = match;
  for (const caller of [anonymous, user('zoe')]) {
    expect(await refusal(live.gateway.searchHands({ jobId }, { caller }))).toBe(privateText);
    expect(await refusal(live.gateway.getHandColumns({ jobId }, { caller }))).toBe(privateText);
    expect(await refusal(live.gateway.listHighlights({ jobId }, { caller }))).toBe(privateText);
    expect(await refusal(live.gateway.getHandOfTheDay({}, { caller }))).toBe(noHand);
  }
  const playerId = userIdOf('ann');
  const best = (publicOnly: boolean, caller = anonymous) =>
    live.gateway.listPlayerHands({ playerId, limit: 5, publicOnly }, { caller });
  expect((await best(true)).hands).toEqual([]);
  expect((await best(false, user('ann'))).hands.length).toBeGreaterThan(0);
  expect(await refusal(best(false, user('bob')))).toMatch(/^PERMISSION_DENIED not-admin/);
  const own = await live.gateway.listMatches({ playerId, pageSize: 100 }, { caller: user('ann') });
  expect(own.matches.find((item) => item.jobId === jobId)?.deltas).toHaveLength(6);
  expect([own.totalGames, own.totalPlayers]).toEqual([0, 0]);
  expect(await refusal(live.gateway.listMatches({ playerId }, { caller: user('bob') }))).toMatch(/not-admin/);
});

test('returns the best public hand of the day until its match is private or deleted', async () => {
  const [first, second] = [
    await live.finishMatch({ numRounds: 80, blinds }, { bots: 5 }),
    await live.finishMatch({ numRounds: 80, blinds }, { bots: 9 }),
  ];
  const ids = [first, second].map(({ match }) => match.jobId);
  for (const jobId of ids) await setPublic(jobId, true);
  const scores = await Promise.all(
    ids.map(async (jobId) => {
      const { highlights } = await live.gateway.listHighlights({ jobId }, { caller: anonymous });
      return { jobId, score: (highlights[0]?.swing ?? 0) * (highlights[0]?.hand?.pot ?? 0) };
    }),
  );
  const [winner, other] = scores.toSorted((a, b) => b.score - a.score) as [(typeof scores)[0], (typeof scores)[0]];
  const ofTheDay = async () => (await live.gateway.getHandOfTheDay({}, { caller: anonymous })).jobId;
  expect(await ofTheDay()).toBe(winner.jobId);
  const best = async () => {
    const { matches, total } = await live.gateway.listMatches(
      { publicOnly: true, order: 'best', pageSize: 100 },
      { caller: anonymous },
    );
    expect(total).toBe(matches.length);
    return matches.map(({ jobId }) => jobId);
  };
  expect(await best()).toEqual([winner.jobId, other.jobId]);
  // Of an older day only while there is nothing newer.
  await query(
    sql`UPDATE live_data.matches SET first_hand_at = now() - interval '8 days' WHERE job_id = ${winner.jobId}`,
  );
  expect(await ofTheDay()).toBe(other.jobId);
  expect(await best()).toEqual([other.jobId]);
  await setPublic(other.jobId, false);
  expect(await ofTheDay()).toBe(winner.jobId);
  await live.gateway.purgeMatch({ jobId: winner.jobId }, { caller: admin });
  expect(await refusal(ofTheDay())).toBe(noHand);
});

test("lists a player's largest wins and losses over several matches", async () => {
  const players = ['gus', 'hal', 'ida'].map(userIdOf);
  const played = [];
  for (const bots of [2, 3, 4]) {
    played.push(await live.finishMatch({ numRounds: 50, playerIds: players, blinds }, { bots }));
  }
  for (const { match } of played) await setPublic(match.jobId, true);
  for (const [seat, playerId] of players.entries()) {
    const nets = played.flatMap(({ play }) => play.records.map(({ deltas }) => deltas[seat] ?? 0));
    for (const worst of [false, true]) {
      const { hands } = await live.gateway.listPlayerHands(
        { playerId, worst, limit: 4, publicOnly: true },
        { caller: anonymous },
      );
      const sorted = nets.filter((net) => (worst ? net < 0 : net > 0)).sort((a, b) => (worst ? a - b : b - a));
      expect(hands.map(({ hand }) => hand?.nets[seat])).toEqual(sorted.slice(0, 4));
    }
  }
});

test('indexes matches of an earlier release in the background and on reading', async () => {
  const { match } = await live.finishMatch({ numRounds: 70 });
  const { match: read } = await live.finishMatch({ numRounds: 40 });
  const ids = [match.jobId, read.jobId];
  const stored = sql`SELECT * FROM live_data.hand_indexes WHERE job_id = ANY(${ids}) ORDER BY job_id`;
  const before = (await query(stored)).rows;
  expect(before).toHaveLength(2);
  await query(sql`DELETE FROM live_data.hand_indexes WHERE job_id = ANY(${ids})`);
  expect((await live.gateway.listHighlights({ jobId: read.jobId }, { caller: admin })).highlights).toHaveLength(5);
  // A replica that starts looks for matches without an index.
  const replica = await live.startReplica();
  await vi.waitFor(async () => expect((await query(stored)).rows).toEqual(before), {
    timeout: 20_000,
    interval: 50,
  });
  await replica.stop();
});
