import { gameIdOf } from '@husky/match/game-id';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { playMatch } from './play.ts';
import { admin, anonymous, collect, leaseOf, startLiveData } from './service.ts';

const live = await startLiveData();
afterAll(() => live.stop());
beforeEach(() => {
  live.simulation.acceptResponse = true;
  live.simulation.accepted.length = 0;
});

test('plays all hands of a match of reset stacks and adds up their results', async () => {
  const change = { numRounds: 150, stacks: 'reset' } as const;
  const { match, play } = await live.finishMatch(change, { wild: true, chunkHands: 40 });
  const { jobId } = match;
  const deltas = match.playerIds.map((_, seat) =>
    play.records.reduce((sum, hand) => sum + (hand.deltas[seat] ?? 0), 0),
  );
  expect(Math.min(...deltas)).toBeLessThan(-10_000);
  expect(live.simulation.accepted).toMatchObject([
    { handsPlayed: 150, endedEarly: '', results: deltas.map((delta) => ({ delta })) },
  ]);
  const caller = admin;
  const { series } = await live.gateway.getPerformance({ jobId }, { caller });
  expect(series.map(({ cumulative }) => [cumulative.length, cumulative.at(-1)])).toEqual(
    deltas.map((sum) => [150, sum]),
  );
  const { matches } = await live.gateway.listMatches({ jobIdBegins: jobId, pageSize: 1 }, { caller });
  expect(matches).toMatchObject([{ stacks: 'reset', hands: 150, deltas }]);
  const stream = collect(live.gateway.streamMatch({ jobId, afterAttempt: 1, afterHand: 60 }, { caller }));
  await stream.ended;
  const hands = stream.events.flatMap(({ handPlayed }) => handPlayed ?? []);
  expect(hands).toHaveLength(90);
  expect(hands.at(-1)).toMatchObject({ cumulative: deltas, outIds: [] });
  expect(hands.flatMap(({ outIds }) => outIds)).toEqual([]);

  await live.gateway.toggleVisibility({ jobId }, { caller });
  const results = await live.gateway.getResults({ playerIds: [match.playerIds[0] as string] }, { caller: anonymous });
  expect(results.players).toMatchObject([{ delta: deltas[0] }]);
  await live.gateway.toggleVisibility({ jobId }, { caller });
  const last = await live.gateway.getHand({ gameId: gameIdOf(jobId, 1, 150) }, { caller });
  const { playerMoney } = JSON.parse(last.gameJson);
  expect(Object.values(playerMoney.startingMoney)).toEqual(Array(6).fill(10_000));
  expect(Object.values(playerMoney.finalDelta)).toEqual(deltas);
});

test('refuses a match of reset stacks that ended early, and hands of carried stacks for it', async () => {
  const short = { numRounds: 50, stacks: 'reset' } as const;
  const { match, play } = await live.deliverMatch(short, { hands: 49 });
  const request = { handsPlayed: 49, digest: play.digest, endedEarly: '' };
  expect(await refusal(live.runner.completeMatch(request, { caller: leaseOf(match) }))).toContain(
    '49 of 50 hands are played',
  );
  const { match: other } = await live.deliverMatch(short, { hands: 0 });
  const [carried] = playMatch({ ...other, stacks: 'carry' }).chunks;
  expect(await refusal(live.runner.deliverChunk({ chunk: carried?.bytes }, { caller: leaseOf(other) }))).toContain(
    'hand 1: stacks are carried, which is not what the match is committed to',
  );
});
