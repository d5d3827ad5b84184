import { randomBytes } from 'node:crypto';
import { type Sql, sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlayedMatch, playMatch } from './play.ts';
import { type LiveDataUnderTest, leaseOf, startLiveData } from './service.ts';
import { newMatch, type TestMatch } from './simulation.ts';

let live: LiveDataUnderTest;
let other: Awaited<ReturnType<LiveDataUnderTest['startReplica']>>;
beforeAll(async () => {
  live = await startLiveData();
  other = await live.startReplica();
});
afterAll(async () => {
  await other.stop();
  await live.stop();
});

type Runner = LiveDataUnderTest['runner'];

const request = (play: PlayedMatch) => ({ handsPlayed: play.records.length, digest: play.digest, endedEarly: '' });

/** Returns everything that is stored about a finished match and does not depend on its id. */
async function storedOf(match: TestMatch): Promise<object> {
  const rows = async (statement: Sql) => (await live.database.admin.query(statement)).rows;
  const ofMatch = sql`WHERE job_id = ${match.jobId}`;
  return {
    chunks: await rows(sql`SELECT first_hand, hands, bytes FROM chunks ${ofMatch} ORDER BY 1`),
    series: await rows(sql`SELECT attempt, bytes FROM series ${ofMatch}`),
    index: await rows(
      sql`SELECT attempt, bytes, highlights, score, best_nets, worst_nets FROM hand_indexes ${ofMatch}`,
    ),
    play: await rows(sql`SELECT attempt, version, counts FROM play_counters ${ofMatch}`),
    match: await rows(sql`SELECT status, hands, accepted_attempt FROM matches ${ofMatch}`),
    faults: live.simulation.accepted.find(({ jobId }) => jobId === match.jobId)?.seatFaults,
  };
}

const hands = 80;

/** Delivers a match, each chunk to the replica that `to` returns, and completes it there. */
async function deliver(chunkHands: number, to: (chunk: number) => Runner): Promise<TestMatch> {
  const match = newMatch({ numRounds: hands });
  live.simulation.put(match);
  const play = playMatch(match, { chunkHands });
  const caller = leaseOf(match);
  await to(0).openAttempt({ startedAtMs: Date.now() }, { caller });
  for (const [index, { bytes }] of play.chunks.entries()) await to(index).deliverChunk({ chunk: bytes }, { caller });
  expect(await to(play.chunks.length).completeMatch(request(play), { caller })).toEqual({ accepted: true });
  return match;
}

describe.each([64, 15])('of a match in chunks of %i stores the same', (chunkHands) => {
  let whole: object;
  beforeAll(async () => {
    whole = await storedOf(await deliver(chunkHands, () => live.runner));
  });
  const end = Math.ceil(hands / chunkHands);
  const [one, two] = [() => live.runner, () => other.runner];

  test.each([
    ['a replica that completes it without its hands, as after a restart', (chunk: number) => (chunk < end ? one : two)],
    ['a replica that gets it in the middle', (chunk: number) => (chunk < 1 ? one : two)],
    ['replicas that get its chunks in turns', (chunk: number) => (chunk % 2 === 0 ? one : two)],
  ])('%s', async (_, to) => {
    expect(await storedOf(await deliver(chunkHands, (chunk) => to(chunk)()))).toEqual(whole);
  });
});

test('refuses a hostile chunk in the middle, and verifies the honest rest', async () => {
  const match = newMatch({ numRounds: 130 });
  live.simulation.put(match);
  const { runner } = live;
  const caller = leaseOf(match);
  const play = playMatch(match);
  const forged = playMatch({ ...match, seed: randomBytes(32) });
  await runner.openAttempt({ startedAtMs: Date.now() }, { caller });
  const chunk = (of: PlayedMatch, index: number) => of.chunks[index]?.bytes ?? Buffer.alloc(0);
  await runner.deliverChunk({ chunk: chunk(play, 0) }, { caller });
  const refused = (bytes: Buffer) => refusal(runner.deliverChunk({ chunk: bytes }, { caller }));
  const fit = /^FAILED_PRECONDITION chunk-does-not-fit: The chunk does not fit: /;
  expect(await refused(chunk(forged, 1))).toMatch(fit);
  expect(await refused(chunk(play, 2))).toContain('hand 65 comes next, not hand 129');
  expect(await refused(randomBytes(600))).toContain('the chunk is damaged or too large');
  expect(await refused(Buffer.alloc(600_000))).toContain('a chunk has at most');
  expect(await refused(chunk(forged, 0))).toContain('hands 1 to 64 are stored with another content');
  for (const { bytes } of play.chunks) await runner.deliverChunk({ chunk: bytes }, { caller });
  expect(await runner.completeMatch(request(play), { caller })).toEqual({ accepted: true });
});

test('refuses a dealer whose attempt was voided or purged on another replica', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 80 }, { hands: 64 });
  const next = playMatch(match).chunks[1]?.bytes;
  const caller = leaseOf(match);
  await other.runner.openAttempt({ startedAtMs: Date.now() }, { caller: leaseOf(match, 2) });
  const lost = 'ABORTED lease-lost: This attempt is no longer the current one of its match.';
  expect(await refusal(live.runner.deliverChunk({ chunk: next }, { caller }))).toBe(lost);
  expect(await refusal(live.runner.completeMatch(request(play), { caller }))).toBe(lost);

  const purged = await live.deliverMatch({ numRounds: 80 }, { hands: 64 });
  live.simulation.remove(purged.match.jobId);
  await other.runner.purgeMatch({ jobId: purged.match.jobId });
  const late = playMatch(purged.match).chunks[1]?.bytes;
  expect(await refusal(live.runner.deliverChunk({ chunk: late }, { caller: leaseOf(purged.match) }))).toBe(
    'NOT_FOUND job-not-found: Job not found.',
  );
});

test('does not accept hands that changed on the disk after a restart', async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 80 });
  await live.database.admin.query(
    sql`UPDATE chunks SET bytes = (SELECT bytes FROM chunks WHERE job_id = ${match.jobId} AND first_hand = 1)
        WHERE job_id = ${match.jobId} AND first_hand = 65`,
  );
  const caller = leaseOf(match);
  expect(await refusal(other.runner.completeMatch(request(play), { caller }))).toMatch(
    /^FAILED_PRECONDITION match-does-not-verify: /,
  );
});
