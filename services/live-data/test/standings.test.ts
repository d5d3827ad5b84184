import { randomBytes } from 'node:crypto';
import type { Caller } from '@husky/runtime/rpc/caller';
import { afterAll, expect, test } from 'vitest';
import { admin, anonymous, startLiveData } from './service.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const batchId = '00000000-0000-4000-8000-00000000ba01';
const caller = { caller: anonymous };

/** Waits until the standings of a request have so many matches, all with luck values, and returns them. */
async function standingsOf(
  request: Parameters<typeof live.gateway.getStandings>[0],
  matches: number,
  as: Caller = anonymous,
) {
  let standings = await live.gateway.getStandings(request, { caller: as });
  await expect
    .poll(
      async () => {
        standings = await live.gateway.getStandings(request, { caller: as });
        return standings.computing ? null : standings.matches;
      },
      { timeout: 25_000 },
    )
    .toBe(matches);
  return standings;
}

/** Plays finished matches of the batch. */
async function playMatches(count: number, from = 0): Promise<string[]> {
  const jobIds: string[] = [];
  for (let number = from; number < from + count; number++) {
    const seed = randomBytes(32);
    const { match } = await live.finishMatch({ batchId, numRounds: 20, seed }, { bots: number + 1 });
    jobIds.push(match.jobId);
  }
  return jobIds;
}

test('standings of a batch follow its finished matches, and vanish with them', async () => {
  await live.gateway.setBatchVisibility({ batchId, public: true }, { caller: admin });
  const empty = await standingsOf({ batchId }, 0);
  expect(empty).toMatchObject({ matches: 0, players: [], notes: ['No finished matches yet.'] });

  const jobIds = await playMatches(1);
  const few = await standingsOf({ batchId }, 1);
  expect(few).toMatchObject({ matches: 1, hands: 20, mode: 'classic' });
  expect(few.players.map(({ estimates }) => estimates)).toEqual(Array(6).fill({}));
  expect(few.notes.join(' ')).toContain('6 of 6 players have no interval');

  jobIds.push(...(await playMatches(5, 1)));
  const standings = await standingsOf({ batchId }, 6);
  expect(standings).toMatchObject({ matches: 6, pairsEstimator: 'adjusted', methodologyVersion: 3 });
  const raw = standings.players.map(({ estimates }) => estimates.raw);
  const sum = raw.reduce((total, estimate) => total + (estimate?.chips ?? Number.NaN), 0);
  expect(sum).toBeCloseTo(0, 6);
  for (const estimate of raw) {
    expect(estimate?.low).toBeLessThan(estimate?.chips ?? Number.NaN);
    expect(estimate?.high).toBeGreaterThan(estimate?.chips ?? Number.NaN);
    expect(estimate?.hands).toBe(120);
    expect(estimate?.bigBlinds).toBeCloseTo((estimate?.chips ?? Number.NaN) / 10, 1);
  }
  expect(standings.players.map(({ ranks }) => ranks.raw)).toEqual(Array(6).fill({ best: 1, worst: 6 }));
  expect(standings.better).toHaveLength(36);
  expect(standings.better.filter((value) => value === -1)).toHaveLength(6);

  // The chips agree with the sums of the batch.
  const results = await live.gateway.getResults({ batchId }, caller);
  for (const { userId, delta } of results.players) {
    const own = standings.players.find((player) => player.userId === userId);
    expect(own?.estimates.raw?.chips).toBeCloseTo((100 * delta) / 120, 6);
  }

  await live.runner.purgeMatch({ jobId: jobIds[0] ?? '' });
  await standingsOf({ batchId }, 5);

  await live.gateway.setBatchVisibility({ batchId, public: false }, { caller: admin });
  await expect(live.gateway.getStandings({ batchId }, caller)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await standingsOf({ batchId }, 5, admin);
  expect(await standingsOf({}, 0)).toMatchObject({ players: [] });
});

test('standings of a selection have its public matches only', async () => {
  const { match } = await live.finishMatch({ numRounds: 20 });
  const selection = { of: { jobIds: [match.jobId], batchIds: [] } };
  await standingsOf(selection, 0);
  await live.gateway.toggleVisibility({ jobId: match.jobId, public: true }, { caller: admin });
  expect(await standingsOf(selection, 1)).toMatchObject({ hands: 20 });
  await standingsOf({ of: { jobIds: [], batchIds: [] } }, 0);
  await expect(live.gateway.getStandings({ of: { jobIds: ['x'] } }, caller)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});
