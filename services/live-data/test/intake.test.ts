import { randomBytes, randomUUID } from 'node:crypto';
import { jobEnded } from '@husky/contracts/events';
import { raw, sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { DomainError } from '@husky/runtime/rpc/errors';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { playMatch } from './play.ts';
import { admin, anonymous, leaseOf, startLiveData, user } from './service.ts';
import { newMatch } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());
beforeEach(() => {
  live.simulation.acceptResponse = true;
  live.simulation.accepted.length = 0;
});

const lost = 'ABORTED lease-lost: This attempt is no longer the current one of its match.';
const request = (play: ReturnType<typeof playMatch>) => ({
  handsPlayed: play.records.length,
  digest: play.digest,
  endedEarly: '',
});

test('stores a match chunk by chunk, verifies it, reports its result and accepts it once', async () => {
  const { match, play } = await live.deliverMatch();
  const caller = leaseOf(match);
  expect(await live.runner.completeMatch(request(play), { caller })).toEqual({ accepted: true });
  expect(live.simulation.accepted).toEqual([
    {
      jobId: match.jobId,
      attempt: 1,
      handsPlayed: play.records.length,
      endedEarly: '',
      digest: play.digest,
      disabled: [],
      isPublic: false,
      seatFaults: expect.any(Array),
      results: match.playerIds.map((userId, seat) => ({ userId, delta: (play.stacks[seat] ?? 0) - 10_000 })),
    },
  ]);
  expect(await live.runner.completeMatch(request(play), { caller })).toEqual({ accepted: true });
  expect(live.simulation.accepted).toHaveLength(1);
  const { series } = await live.gateway.getPerformance({ jobId: match.jobId }, { caller: admin });
  expect(series.map((one) => one.cumulative.at(-1))).toEqual(play.stacks.map((chips) => chips - 10_000));
  expect(series[0]?.cumulative).toHaveLength(play.records.length);
});

test('ignores a repeated chunk and refuses one with other hands', async () => {
  const { match, play } = await live.deliverMatch({}, { hands: 130 });
  const caller = leaseOf(match);
  const [first] = play.chunks;
  expect(await live.runner.deliverChunk({ chunk: first?.bytes }, { caller })).toEqual({ handsStored: 130 });
  const [other] = playMatch(match, { hands: 64, bots: 2 }).chunks;
  expect(await refusal(live.runner.deliverChunk({ chunk: other?.bytes }, { caller }))).toBe(
    'FAILED_PRECONDITION chunk-does-not-fit: The chunk does not fit: hands 1 to 64 are stored with another content.',
  );
});

test('stores a chunk once when it is delivered twice concurrently', async () => {
  const { match } = await live.deliverMatch({}, { hands: 0 });
  const [chunk] = playMatch(match, { hands: 64 }).chunks;
  const deliver = () => live.runner.deliverChunk({ chunk: chunk?.bytes }, { caller: leaseOf(match) });
  expect(await Promise.all([deliver(), deliver(), deliver()])).toEqual(Array(3).fill({ handsStored: 64 }));
});

test('compares a repeated match with its accepted attempt and stores nothing of it', async () => {
  const { match, play } = await live.deliverMatch();
  const hands = play.records.length;
  const caller = leaseOf(match);
  const compare = (bytes?: Uint8Array) => live.runner.compareChunk({ chunk: bytes }, { caller });
  expect(await refusal(compare(play.chunks[0]?.bytes))).toBe(lost);
  await live.runner.completeMatch(request(play), { caller });
  for (const { bytes } of play.chunks) expect(await compare(bytes)).toEqual({ hand: 0, act: 0, byLimit: false, hands });
  const other = await compare(playMatch(match, { hands: 64, bots: 2 }).chunks[0]?.bytes);
  expect(other.hand).toBeGreaterThan(0);
  expect(other.act).toBeGreaterThan(2);
  const longer = playMatch({ ...match, numRounds: hands + 64 }, { hands: hands + 64 });
  const beyond = longer.chunks.find(({ firstHand }) => firstHand + 64 > hands + 1);
  expect(await compare(beyond?.bytes)).toMatchObject({ hand: hands + 1, act: 0 });
  expect(await refusal(compare(randomBytes(500)))).toContain('chunk-does-not-fit');
  const page = await live.gateway.listHands({ jobId: match.jobId }, { caller: admin });
  expect(page.total).toBe(hands);
});

test('refuses hands out of order or with gaps', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  const { chunks } = playMatch(match);
  expect(await refusal(live.runner.deliverChunk({ chunk: chunks[2]?.bytes }, { caller: leaseOf(match) }))).toBe(
    'FAILED_PRECONDITION chunk-does-not-fit: The chunk does not fit: hand 65 comes next, not hand 129.',
  );
});

test('refuses a chunk that does not follow from the seed, with the first difference', async () => {
  const { match } = await live.deliverMatch({}, { hands: 0 });
  const forged = playMatch({ ...match, seed: randomBytes(32) });
  const refused = await refusal(
    live.runner.deliverChunk({ chunk: forged.chunks[0]?.bytes }, { caller: leaseOf(match) }),
  );
  expect(refused).toMatch(/^FAILED_PRECONDITION chunk-does-not-fit: The chunk does not fit: hand \d+: /);
  expect(await refusal(live.runner.deliverChunk({ chunk: randomBytes(500) }, { caller: leaseOf(match) }))).toBe(
    'FAILED_PRECONDITION chunk-does-not-fit: The chunk does not fit: the chunk is damaged or too large.',
  );
});

test('refuses more hands than the match has', async () => {
  const { match } = await live.deliverMatch({ numRounds: 64 });
  const more = playMatch({ ...match, numRounds: 70 });
  const late = more.chunks[1]?.bytes;
  expect(await refusal(live.runner.deliverChunk({ chunk: late }, { caller: leaseOf(match) }))).toContain(
    'the match has 64 hands',
  );
});

test('voids the earlier attempt when a newer one is opened', async () => {
  const { match, play } = await live.deliverMatch({}, { hands: 100 });
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller: leaseOf(match, 2) });
  const caller = leaseOf(match, 1);
  expect(await refusal(live.runner.deliverChunk({ chunk: play.chunks[0]?.bytes }, { caller }))).toBe(lost);
  expect(await refusal(live.runner.openAttempt({ startedAtMs: Date.now() }, { caller }))).toBe(lost);
  expect(await refusal(live.runner.completeMatch(request(play), { caller }))).toBe(lost);
  expect(await refusal(live.runner.deliverSeatReport({ seat: 0 }, { caller }))).toBe(lost);

  const hands = () => live.gateway.listHands({ jobId: match.jobId }, { caller: admin });
  expect((await hands()).total).toBe(0);
  const again = playMatch(match, { attempt: 2, bots: 3 });
  for (const { bytes } of again.chunks) await live.runner.deliverChunk({ chunk: bytes }, { caller: leaseOf(match, 2) });
  await live.runner.completeMatch({ ...request(again) }, { caller: leaseOf(match, 2) });
  expect((await hands()).total).toBe(again.records.length);
  expect(await refusal(live.runner.openAttempt({ startedAtMs: 0 }, { caller: leaseOf(match, 3) }))).toBe(lost);
});

test('keeps hands of voided attempts readable for admins only', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const { hands } = await live.gateway.listHands({ jobId: match.jobId }, { caller: admin });
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller: leaseOf(match, 2) });
  const gameId = hands[0]?.gameId ?? '';
  expect(await refusal(live.gateway.getHand({ gameId }, { caller: user('ann') }))).toBe(
    'NOT_FOUND game-not-found: Game not found.',
  );
  expect(await live.gateway.getHand({ gameId }, { caller: admin })).toMatchObject({ hand: 1, jobId: match.jobId });
});

test('refuses a wrong number of hands, a wrong digest and an early end without a winner', async () => {
  const { match, play } = await live.deliverMatch({}, { hands: 100 });
  const complete = (change: object) =>
    refusal(live.runner.completeMatch({ ...request(play), ...change }, { caller: leaseOf(match) }));
  const prefix = 'FAILED_PRECONDITION match-does-not-verify: The match cannot be accepted: ';
  expect(await complete({ handsPlayed: 101 })).toBe(`${prefix}101 hands were reported, but 100 are stored.`);
  expect(await complete({ digest: '00' })).toBe(`${prefix}the digest is another one than that of the stored hands.`);
  expect(await complete({})).toBe(`${prefix}100 of 200 hands are played and several players still have chips.`);
  expect(live.simulation.accepted).toHaveLength(0);
});

test('accepts a match that ends early, with its reason', async () => {
  const blinds = { bigBlind: 2000, multiplier: '2', interval: 5 };
  const { match, play } = await live.finishMatch({ numRounds: 1000, blinds }, { wild: true });
  expect(play.over).toBe(true);
  expect(live.simulation.accepted).toMatchObject([
    { jobId: match.jobId, handsPlayed: play.records.length, endedEarly: 'One player holds every chip.' },
  ]);
});

test('completes a match after a crash between its steps when the dealer retries', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 70 });
  const complete = () => live.runner.completeMatch(request(play), { caller: leaseOf(match) });
  live.simulation.acceptResponse = new DomainError('UNAVAILABLE', 'away', 'away');
  expect(await refusal(complete())).toMatch(/^UNAVAILABLE/);
  const item = async () =>
    (await live.gateway.listMatches({ pageSize: 1000 }, { caller: admin })).matches.find(
      (one) => one.jobId === match.jobId,
    );
  expect(await item()).toMatchObject({ status: 'Running', hands: 70 });
  live.simulation.acceptResponse = true;
  expect(await complete()).toEqual({ accepted: true });
  expect(await item()).toMatchObject({ status: 'Finished', hands: 70 });
});

test('does not accept a result that simulation refuses', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 70 });
  live.simulation.acceptResponse = false;
  expect(await live.runner.completeMatch(request(play), { caller: leaseOf(match) })).toEqual({ accepted: false });
  const access = await live.database.admin.query(
    sql`SELECT status, accepted_attempt FROM matches WHERE job_id = ${match.jobId}`,
  );
  expect(access.rows).toEqual([{ status: 'Running', accepted_attempt: null }]);
});

test('refuses further hands after a match was verified', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 70 }, { chunkHands: 10 });
  live.simulation.acceptResponse = new DomainError('UNAVAILABLE', 'away', 'away');
  await refusal(live.runner.completeMatch(request(play), { caller: leaseOf(match) }));
  const [first] = play.chunks;
  expect(await live.runner.deliverChunk({ chunk: first?.bytes }, { caller: leaseOf(match) })).toEqual({
    handsStored: 70,
  });
});

test('packs small chunks into full ones with the same hands at the end', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 150 }, { chunkHands: 7 });
  const read = async (hand: number) => {
    const { hands } = await live.gateway.listHands({ jobId: match.jobId }, { caller: admin });
    return live.gateway.getHand({ gameId: hands[hand - 1]?.gameId ?? '' }, { caller: admin });
  };
  const before = await Promise.all([1, 64, 65, 150].map(read));
  await live.runner.completeMatch(request(play), { caller: leaseOf(match) });
  const { rows } = await live.database.admin.query(
    sql`SELECT first_hand, hands FROM chunks WHERE job_id = ${match.jobId} ORDER BY 1`,
  );
  expect(rows).toEqual([
    { first_hand: 1, hands: 64 },
    { first_hand: 65, hands: 64 },
    { first_hand: 129, hands: 22 },
  ]);
  expect(await Promise.all([1, 64, 65, 150].map(read))).toEqual(before);
});

test("returns a seat's report only to its user and admins", async () => {
  const { match } = await live.deliverMatch({ numRounds: 64 });
  const report = {
    seat: 1,
    log: `hello ${'♠'.repeat(50_000)}\nlast`,
    verdict: 'crash',
    cpuMs: 12,
    peakKib: 34,
    faults: 5,
  };
  await live.runner.deliverSeatReport(report, { caller: leaseOf(match) });
  await live.runner.deliverSeatReport({ ...report, faults: 6 }, { caller: leaseOf(match) });
  const bob = match.playerIds[1] ?? '';
  const request = { jobId: match.jobId, userId: bob };
  const log = await live.gateway.getSeatLog(request, { caller: user('bob') });
  expect(log).toMatchObject({ verdict: 'crash', cpuMs: 12, peakKib: 34, faults: 6 });
  expect(log.log.startsWith('hello ')).toBe(true);
  expect(await live.gateway.getSeatLog(request, { caller: admin })).toEqual(log);
  expect(await refusal(live.gateway.getSeatLog(request, { caller: user('ann') }))).toMatch(
    /^PERMISSION_DENIED not-your-bot/,
  );
  expect(await refusal(live.gateway.getSeatLog(request, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED/);
  expect(await refusal(live.runner.deliverSeatReport({ ...report, seat: 6 }, { caller: leaseOf(match) }))).toMatch(
    /^INVALID_ARGUMENT/,
  );
});

test('accepts deliveries only from leases', async () => {
  expect(await refusal(live.gateway.deliverChunk({ chunk: Buffer.alloc(3) }, { caller: admin }))).toMatch(
    /^PERMISSION_DENIED no-lease/,
  );
  expect(await refusal(live.gateway.openAttempt({}, { caller: anonymous }))).toMatch(/^PERMISSION_DENIED no-lease/);
  expect(await refusal(live.runner.openAttempt({}, { caller: leaseOf(newMatch()) }))).toBe(
    'NOT_FOUND job-not-found: Job not found.',
  );
});

test('deletes all data of a match in a purge', async () => {
  const { match } = await live.finishMatch({ numRounds: 64 });
  expect(await refusal(live.gateway.purgeMatch({ jobId: match.jobId }, { caller: user('ann') }))).toMatch(
    /^PERMISSION_DENIED/,
  );
  live.simulation.remove(match.jobId);
  expect(await live.runner.purgeMatch({ jobId: match.jobId })).toEqual({ hands: 64 });
  expect(await live.runner.purgeMatch({ jobId: match.jobId })).toEqual({ hands: 0 });
  for (const table of ['matches', 'attempts', 'chunks', 'series', 'seat_reports']) {
    const { rowCount } = await live.database.admin.query(
      sql`SELECT 1 FROM ${raw(table)} WHERE job_id = ${match.jobId}`,
    );
    expect(rowCount).toBe(0);
  }
  expect(await refusal(live.gateway.listHands({ jobId: match.jobId }, { caller: admin }))).toMatch(/^NOT_FOUND/);
});

test('follows the end of a job in simulation even if earlier events were missed', async () => {
  const nats = await connectNats(await testNats('simulation'), createLogger('simulation', 'fatal'), 'simulation');
  const publishEnd = (jobId: string, status: string) =>
    nats.publish(jobEnded.subject, jobEnded.encode({ jobId, status }), randomUUID(), '');
  const statusOf = async (jobId: string) => {
    const { rows } = await live.database.admin.query(sql`SELECT status FROM matches WHERE job_id = ${jobId}`);
    return rows[0]?.status;
  };

  const failed = await live.deliverMatch({}, { hands: 20 });
  live.simulation.put(failed.match, { status: 'FAILED', attempt: 1, error: 'three runners were lost' });
  await publishEnd(failed.match.jobId, 'Failed');

  const half = await live.deliverMatch({ numRounds: 64 });
  live.simulation.acceptResponse = new DomainError('UNAVAILABLE', 'away', 'the response is lost');
  await refusal(live.runner.completeMatch(request(half.play), { caller: leaseOf(half.match) }));
  live.simulation.put(half.match, { status: 'FINISHED', attempt: 1 });
  await publishEnd(half.match.jobId, 'Finished');

  const gone = await live.deliverMatch({}, { hands: 20 });
  live.simulation.remove(gone.match.jobId);
  await publishEnd(gone.match.jobId, 'Deleted');

  await vi.waitFor(
    async () => {
      expect(await statusOf(failed.match.jobId)).toBe('Failed');
      expect(await statusOf(half.match.jobId)).toBe('Finished');
      expect(await statusOf(gone.match.jobId)).toBeUndefined();
    },
    { timeout: 20_000 },
  );
  await nats.close();
});
