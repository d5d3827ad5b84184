import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test } from 'vitest';
import { admin, anonymous, firstOf, startLiveData, user } from './service.ts';
import { newMatch, userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const privateText = 'PERMISSION_DENIED private-match: This game is private and cannot be accessed.';
const noJob = 'NOT_FOUND job-not-found: Job not found.';
const noGame = 'NOT_FOUND game-not-found: Game not found.';
const publish = (jobId: string) => live.gateway.toggleVisibility({ jobId }, { caller: admin });
const list = (change: object = {}, caller: Caller = admin) =>
  live.gateway.listMatches({ page: 1, pageSize: 1000, ...change }, { caller });

interface GameData {
  readonly gameId: string;
  readonly rounds: Record<
    string,
    { pot: number; bets: Record<string, number>; action_sequence: Record<string, number>[] }
  >;
  readonly playerNames: Record<string, string>;
  readonly playerHands: Record<string, string[]>;
  readonly playerMoney: Record<string, Record<string, number>>;
  readonly finalBoard: string[];
  readonly verdicts?: { round: number; index: number; seat: number; code: string; text: string }[];
}

test('fetches a new match from simulation once, and looks once more whether it has ended', async () => {
  const match = newMatch();
  expect(await refusal(live.gateway.getMatchAccess({ jobId: match.jobId }, { caller: user('ann') }))).toBe(noJob);
  live.simulation.put(match);
  const lookups = live.simulation.lookups;
  const access = { jobId: match.jobId, isPublic: false, canRead: true, hands: 0, gameNumber: 7 };
  expect(await live.gateway.getMatchAccess({ jobId: match.jobId }, { caller: user('ann') })).toMatchObject(access);
  expect(await live.gateway.listHands({ jobId: match.jobId }, { caller: user('ann') })).toEqual({
    hands: [],
    total: 0,
  });
  const { series } = await live.gateway.getPerformance({ jobId: match.jobId }, { caller: user('ann') });
  expect(series).toEqual(match.playerIds.map((userId) => ({ userId, cumulative: [] })));
  expect(live.simulation.lookups).toBe(lookups + 2);
});

test('applies one privacy rule to hands, replays and performance', async () => {
  const { match } = await live.finishMatch({ numRounds: 70, playerIds: [userIdOf('ann'), houseUserId] });
  const { jobId } = match;
  const gameId = (await live.gateway.listHands({ jobId }, { caller: admin })).hands[0]?.gameId ?? '';
  const reads = (caller: Caller) => [
    () => live.gateway.listHands({ jobId }, { caller }),
    () => live.gateway.getHand({ gameId }, { caller }),
    () => live.gateway.getPerformance({ jobId }, { caller }),
    () => firstOf(live.gateway.streamMatch({ jobId }, { caller })),
  ];
  const house: Caller = { kind: 'user', id: houseUserId, username: 'house', admin: false, verified: true };
  for (const caller of [anonymous, user('bob'), house]) {
    for (const read of reads(caller)) expect(await refusal(read())).toBe(privateText);
    expect(await live.gateway.getMatchAccess({ jobId }, { caller })).toMatchObject({
      isPublic: false,
      canRead: false,
      hands: 0,
    });
  }
  for (const caller of [user('ann'), user('owner'), admin]) for (const read of reads(caller)) await read();
  expect(await publish(jobId)).toMatchObject({ isPublic: true, hands: 70 });
  for (const read of reads(anonymous)) await read();
  await publish(jobId);
  for (const read of reads(anonymous)) expect(await refusal(read())).toBe(privateText);
  expect(await refusal(live.gateway.toggleVisibility({ jobId }, { caller: user('ann') }))).toMatch(
    /^PERMISSION_DENIED not-for-this-caller/,
  );
});

test('returns NOT_FOUND for unknown matches and hands to every caller', async () => {
  const unknown = newMatch().jobId;
  for (const jobId of [unknown, randomUUID(), 'no id', '', `${unknown}'--`]) {
    expect(await refusal(live.gateway.listHands({ jobId }, { caller: anonymous }))).toBe(noJob);
    expect(await refusal(live.gateway.getPerformance({ jobId }, { caller: admin }))).toBe(noJob);
    expect(await refusal(live.gateway.toggleVisibility({ jobId }, { caller: admin }))).toBe(noJob);
    expect(await refusal(live.gateway.getHand({ gameId: jobId }, { caller: anonymous }))).toBe(noGame);
  }
  const { match } = await live.deliverMatch({}, { hands: 3 });
  const idAt = (tail: string) => `${match.jobId.slice(0, -12)}${tail}`;
  for (const gameId of ['000100000004', '0001ffffffff', '000200000001'].map(idAt)) {
    expect(await refusal(live.gateway.getHand({ gameId }, { caller: admin }))).toBe(noGame);
  }
});

test('lists hands by number, in pages or all at once', async () => {
  const { match, play } = await live.deliverMatch({}, { hands: 130 });
  const hands = (page: number, pageSize: number) =>
    live.gateway.listHands({ jobId: match.jobId, page, pageSize }, { caller: admin });
  const all = await hands(0, 0);
  expect(all.total).toBe(play.records.length);
  expect(all.hands.map((item) => item.hand)).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
  const second = await hands(2, 100);
  expect(second.hands.map((item) => item.hand)).toEqual(Array.from({ length: 30 }, (_, index) => index + 101));
  expect(second.hands[0]).toEqual(all.hands[100]);
  expect((await hands(9, 100)).hands).toEqual([]);
  expect(await refusal(hands(1, 1001))).toMatch(/^INVALID_ARGUMENT page-invalid/);
});

test('returns game data with consistent chips for every hand of a match', async () => {
  const blinds = { bigBlind: 50, multiplier: '1.5', interval: 10 };
  const { match, play } = await live.finishMatch({ numRounds: 120, blinds }, { wild: true });
  const { hands } = await live.gateway.listHands({ jobId: match.jobId }, { caller: admin });
  expect(hands).toHaveLength(play.records.length);
  let money: Record<string, number> = Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [id, 10_000]));
  let verdicts = 0;
  let busted = 0;
  for (const { gameId, hand } of hands) {
    const replay = await live.gateway.getHand({ gameId }, { caller: admin });
    expect(replay).toMatchObject({ gameId, hand, jobId: match.jobId, playerIds: match.playerIds, gameNumber: 7 });
    const game = JSON.parse(replay.gameJson) as GameData;
    expect(game.gameId).toBe(match.jobId);
    expect(game.playerMoney.startingMoney).toEqual(money);
    money = game.playerMoney.finalMoney ?? {};
    expect(Object.values(money).reduce((sum, chips) => sum + chips)).toBe(60_000);
    const deltas = play.records[hand - 1]?.deltas ?? [];
    expect(game.playerMoney.thisGameDelta).toEqual(Object.fromEntries(deltas.map((chips, seat) => [seat + 1, chips])));
    const dealt = Object.entries(game.playerMoney.startingMoney ?? {}).filter(([, chips]) => chips > 0);
    expect(Object.keys(game.playerHands)).toEqual(dealt.map(([id]) => String(Number(id) - 1)));
    busted += 6 - dealt.length;
    let total = 0;
    for (const round of Object.values(game.rounds)) {
      expect(Object.values(round.bets).reduce((sum, chips) => sum + chips, 0)).toBe(round.pot);
      for (const action of round.action_sequence) {
        total += action.amount ?? 0;
        expect(action.total_pot_after_action).toBe(total);
        const pots = action.total_side_pots_after_action as unknown as { amount: number }[];
        expect(pots.reduce((sum, pot) => sum + pot.amount, 0)).toBe(total);
        const street = action.side_pots_after_action as unknown as { amount: number }[];
        expect(street.reduce((sum, pot) => sum + pot.amount, 0)).toBe(action.pot_after_action);
      }
    }
    for (const { round, index, seat } of game.verdicts ?? []) {
      verdicts += 1;
      expect(game.rounds[round]?.action_sequence[index]).toMatchObject({ player: seat, action: 'FOLD' });
    }
  }
  expect(verdicts).toBeGreaterThan(0);
  expect(busted).toBeGreaterThan(0);
});

test('lists only matches with a stored hand, newest first, with totals', async () => {
  const before = await list();
  const empty = await live.deliverMatch({}, { hands: 0 });
  const running = await live.deliverMatch({ playerIds: ['gus', 'hal'].map(userIdOf) }, { hands: 10 });
  const done = await live.finishMatch({ numRounds: 64, playerIds: [userIdOf('gus'), houseUserId] });
  const after = await list();
  expect(after.matches.slice(0, 2).map((match) => match.jobId)).toEqual([done.match.jobId, running.match.jobId]);
  expect(after.matches.some((match) => match.jobId === empty.match.jobId)).toBe(false);
  expect(after.matches[0]).toMatchObject({
    status: 'Finished',
    hands: done.play.records.length,
    isPublic: false,
    gameNumber: 7,
  });
  expect(after.matches[1]).toMatchObject({ status: 'Running', hands: 10, playerIds: running.match.playerIds });
  expect(after.total).toBe(before.total + 2);
  expect(after.totalGames).toBe(before.totalGames + 10 + done.play.records.length);
  expect(after.totalPlayers).toBe(before.totalPlayers + 2);

  const oldest = await list({ order: 'oldest' });
  expect(oldest.matches.map((match) => match.jobId)).toEqual(after.matches.map((match) => match.jobId).reverse());
  const pages = await Promise.all([1, 2].map((page) => list({ page, pageSize: 1 })));
  expect(pages.map((page) => page.matches[0]?.jobId)).toEqual([done.match.jobId, running.match.jobId]);
  const onlyRunning = await list({ status: 'Running' });
  expect(onlyRunning.matches.every((match) => match.status === 'Running')).toBe(true);
  expect(onlyRunning.total).toBe(onlyRunning.matches.length);
  expect(await refusal(list({ status: 'Lost' }))).toMatch(/^INVALID_ARGUMENT bad-status/);
});

test('lists public matches for everybody, with totals that exclude private ones', async () => {
  const { match } = await live.finishMatch({ numRounds: 64, playerIds: ['ian', 'joe', 'kim'].map(userIdOf) });
  const open = () => list({ publicOnly: true }, anonymous);
  const before = await open();
  await publish(match.jobId);
  const after = await open();
  expect(after.matches[0]).toMatchObject({ jobId: match.jobId, isPublic: true });
  expect([after.total - before.total, after.totalGames - before.totalGames]).toEqual([1, 64]);
  expect(after.totalPlayers - before.totalPlayers).toBe(3);
  await publish(match.jobId);
  expect(await open()).toEqual(before);
  expect(await refusal(list({}, anonymous))).toMatch(/^UNAUTHENTICATED/);
  expect(await refusal(list({}, user('ann')))).toMatch(/^PERMISSION_DENIED not-admin/);
});

test('has matches of the ladder and of trials in no list or total, and the hands of a day on the ladder for their players', async () => {
  const [ivy = '', ...others] = ['ivy', 'jan', 'kai'].map(userIdOf);
  const hands = (ladder: boolean) =>
    live.gateway.listPlayerHands({ playerId: ivy, limit: 5, ladder }, { caller: user('ivy') });
  // The matches in play have other speeds.
  const totals = async () => ({ ...(await list()), matches: [] });
  const before = await totals();
  const playerIds = [ivy, ...others];
  const ladder = { numRounds: 64, playerIds, kind: 'LADDER', ownerId: houseUserId } as const;
  const { match } = await live.finishMatch(ladder);
  await live.finishMatch({ numRounds: 64, playerIds, kind: 'TRIAL', ownerId: ivy });
  expect(await totals()).toEqual(before);
  expect((await list({ playerId: ivy })).total).toBe(0);
  expect(new Set((await hands(true)).hands.map(({ jobId }) => jobId))).toEqual(new Set([match.jobId]));
  expect((await hands(false)).hands).toEqual([]);
});

test('stores the same totals as a full count', async () => {
  const { match } = await live.finishMatch({ numRounds: 64 });
  await publish(match.jobId);
  const gone = await live.finishMatch({ numRounds: 64 });
  await live.runner.purgeMatch({ jobId: gone.match.jobId });
  const read = async (sql: string) => (await live.database.admin.query(sql)).rows;
  expect(await read('SELECT * FROM match_totals WHERE matches <> 0 OR hands <> 0 ORDER BY 1, 2')).toEqual(
    await read(`SELECT is_public, status, count(*)::int AS matches, sum(hands)::bigint AS hands FROM matches
      WHERE first_hand_at IS NOT NULL AND NOT ladder GROUP BY 1, 2 ORDER BY 1, 2`),
  );
  expect(await read('SELECT * FROM player_totals WHERE matches <> 0 ORDER BY 1')).toEqual(
    await read(`SELECT u AS user_id, count(*)::int AS matches, (count(*) FILTER (WHERE is_public))::int AS public_matches
      FROM matches, unnest(player_ids) u WHERE first_hand_at IS NOT NULL AND NOT ladder AND u <> '${houseUserId}' GROUP BY 1 ORDER BY 1`),
  );
});

test('removes a match from the lists when a new attempt opens, until it has a hand', async () => {
  const { match } = await live.deliverMatch({ playerIds: ['lea', 'max'].map(userIdOf) }, { hands: 10 });
  const before = await list();
  const caller = { kind: 'lease', jobId: match.jobId, attempt: 2, runner: 'runner-2' } as const;
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller });
  const after = await list();
  expect(after.total).toBe(before.total - 1);
  expect(after.totalPlayers).toBe(before.totalPlayers - 2);
  expect(after.totalGames).toBe(before.totalGames - 10);
});

test('returns neither seeds nor internal errors', async () => {
  const broken = newMatch({ seed: Buffer.alloc(3) });
  live.simulation.put(broken);
  expect(await refusal(live.gateway.listHands({ jobId: broken.jobId }, { caller: admin }))).toBe(
    'INTERNAL internal: Internal server error',
  );
});
