import type { ExportedHands__Output } from '@husky/contracts/types/live/v1/ExportedHands';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test } from 'vitest';
import { admin, anonymous, firstOf, startLiveData, user } from './service.ts';
import { newMatch, userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const exported = (jobId: string, caller: Caller = admin) => live.gateway.exportMatch({ jobId }, { caller });

async function handsOf(messages: AsyncIterable<ExportedHands__Output>): Promise<string[]> {
  const hands: string[] = [];
  for await (const { gameJson } of messages) hands.push(...gameJson);
  return hands;
}

test('exports every hand of a finished match as the replay shows it, without texts of bots', async () => {
  const failing = { seat: 0, note: () => ({ fault: 'exception' as const, detail: 'KeyError: secret plan' }) };
  const { match, play } = await live.finishMatch(
    { numRounds: 70, playerIds: ['ann', 'bob'].map(userIdOf) },
    { failing },
  );
  const first = await firstOf(exported(match.jobId, user('ann')));
  const { jobId, playerIds } = match;
  const hands = play.records.length;
  expect(first?.match).toMatchObject({ jobId, playerIds, attempt: 1, hands, digest: play.digest });
  const all = await handsOf(exported(match.jobId, user('ann')));
  expect(all.length).toBe(hands);
  const listed = (await live.gateway.listHands({ jobId }, { caller: admin })).hands;
  const { gameJson } = await live.gateway.getHand({ gameId: listed[66]?.gameId ?? '' }, { caller: user('bob') });
  expect(all[66]).toBe(gameJson);
  expect(all.join('')).not.toContain('secret plan');
  expect(all.join('')).toContain('"code":"exception"');
});

test('refuses an export to callers who may not read the match, and of a match that is not finished', async () => {
  const { match } = await live.finishMatch({ numRounds: 10 });
  const privateText = 'PERMISSION_DENIED private-match: This game is private and cannot be accessed.';
  for (const caller of [anonymous, user('zoe')]) {
    expect(await refusal(handsOf(exported(match.jobId, caller)))).toBe(privateText);
  }
  const running = await live.deliverMatch({}, { hands: 10 });
  const early = 'This match is not finished. It can be downloaded when its last hand has been played.';
  expect(await refusal(handsOf(exported(running.match.jobId)))).toBe(
    `FAILED_PRECONDITION match-not-finished: ${early}`,
  );
  expect(await refusal(handsOf(exported(running.match.jobId, anonymous)))).toBe(privateText);
  expect(await refusal(handsOf(exported(newMatch().jobId)))).toBe('NOT_FOUND job-not-found: Job not found.');
});

test('exports a match at once that simulation has accepted before this service', async () => {
  live.simulation.acceptResponse = false;
  const { match, play } = await live.finishMatch({ numRounds: 20 });
  live.simulation.acceptResponse = true;
  expect(await refusal(handsOf(exported(match.jobId)))).toMatch(/^FAILED_PRECONDITION match-not-finished/);
  live.simulation.put(match, { status: 'FINISHED', attempt: 1 });
  expect((await handsOf(exported(match.jobId))).length).toBe(play.records.length);
});

test.each([
  ['deleted', (jobId: string) => live.runner.purgeMatch({ jobId }), /^ABORTED match-deleted/],
  [
    'made private',
    (jobId: string) => live.gateway.toggleVisibility({ jobId }, { caller: admin }),
    /^PERMISSION_DENIED private-match/,
  ],
])('ends the export of a match that is %s meanwhile with an error', async (_what, change, error) => {
  const blinds = { bigBlind: 2, multiplier: '1', interval: 1 };
  const { match, play } = await live.finishMatch({ numRounds: 1500, blinds });
  // About 5 MB of messages do not fit into the buffers of the connection, so the service waits for the reader.
  expect(play.records.length).toBeGreaterThan(1000);
  const { jobId } = match;
  await live.gateway.toggleVisibility({ jobId }, { caller: admin });
  const rest = async () => {
    for await (const message of exported(jobId, anonymous)) if (message.match) await change(jobId);
  };
  expect(await refusal(rest())).toMatch(error);
});
