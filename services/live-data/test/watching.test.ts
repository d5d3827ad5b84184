import { gameIdOf } from '@husky/match/game-id';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import type { Caller } from '@husky/runtime/rpc/caller';
import { testNats } from '@husky/testkit/servers';
import { afterAll, expect, test, vi } from 'vitest';
import { playMatch } from './play.ts';
import { admin, anonymous, collect, leaseOf, startLiveData, user } from './service.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const watch = (jobId: string, change: object = {}, caller: Caller = admin, client = live.gateway) =>
  collect(client.streamMatch({ jobId, ...change }, { caller }));
const numbered = (attempt: number, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${attempt}:${from + index}`);

test('streams every hand of a running match once, in order, and then its end', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  const watcher = watch(match.jobId);
  await vi.waitFor(() => expect(watcher.hands()).toHaveLength(64), 10_000);
  const play = playMatch(match);
  const caller = leaseOf(match);
  for (const { bytes } of play.chunks.slice(1)) await live.runner.deliverChunk({ chunk: bytes }, { caller });
  const request = { handsPlayed: play.records.length, digest: play.digest, endedEarly: '' };
  await live.runner.completeMatch(request, { caller });
  await watcher.ended;
  expect(watcher.hands()).toEqual(numbered(1, 1, 200));
  const last = watcher.events.findLast((event) => event.handPlayed);
  expect(last?.handPlayed?.cumulative).toEqual(play.stacks.map((chips) => chips - 10_000));
  expect(last?.handPlayed?.deltas).toEqual(play.records.at(-1)?.deltas);
  expect(last?.handPlayed?.playerIds).toEqual(match.playerIds);
  expect(watcher.events.at(-1)).toMatchObject({
    attempt: 1,
    hand: 200,
    ended: { status: 'Finished', handsPlayed: 200 },
  });
  expect(watcher.kinds()).not.toContain('reset');
  expect(watcher.events.some((event) => event.progress?.numRounds === 200)).toBe(true);
});

test('resumes a stream at its position without gaps or repeats', async () => {
  const { match } = await live.finishMatch({ numRounds: 150 });
  const watcher = watch(match.jobId, { afterAttempt: 1, afterHand: 70 });
  await watcher.ended;
  expect(watcher.hands()).toEqual(numbered(1, 71, 150));
  const late = watch(match.jobId, { afterAttempt: 1, afterHand: 150 });
  await late.ended;
  expect(late.kinds()).toEqual(['ended']);
});

test('resets watchers when a new attempt opens, including ones that reconnect later', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  const watcher = watch(match.jobId);
  await vi.waitFor(() => expect(watcher.hands()).toHaveLength(64), 10_000);
  const caller = leaseOf(match, 2);
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller });
  const [chunk] = playMatch(match, { attempt: 2, bots: 2 }).chunks;
  await live.runner.deliverChunk({ chunk: chunk?.bytes }, { caller });
  await vi.waitFor(() => expect(watcher.hands()).toHaveLength(128), 10_000);
  expect(watcher.hands()).toEqual([...numbered(1, 1, 64), ...numbered(2, 1, 64)]);
  expect(watcher.kinds().indexOf('reset')).toBe(64);
  expect(watcher.events.find((event) => event.reset)).toMatchObject({ attempt: 2, hand: 0 });

  const back = watch(match.jobId, { afterAttempt: 1, afterHand: 30 });
  await vi.waitFor(() => expect(back.hands()).toHaveLength(64), 10_000);
  expect(back.kinds()[0]).toBe('reset');
  expect(back.hands()).toEqual(numbered(2, 1, 64));
});

test('streams hands stored by one replica to watchers of other replicas', async () => {
  const { match } = await live.deliverMatch({}, { hands: 0 });
  const replica = await live.startReplica();
  const watcher = watch(match.jobId, {}, admin, replica.client);
  await vi.waitFor(() => expect(watcher.events.length).toBeGreaterThan(0), 10_000);
  const [chunk] = playMatch(match).chunks;
  const nats = await connectNats(await testNats('live-data'), createLogger('live-data', 'fatal'));
  const sizes: number[] = [];
  nats.listen(`live.${match.jobId}`, (payload) => sizes.push(payload.length));
  await nats.connection.flush();
  await live.runner.deliverChunk({ chunk: chunk?.bytes }, { caller: leaseOf(match) });
  await vi.waitFor(() => expect(watcher.hands()).toHaveLength(64), 10_000);
  // The notification is empty.
  await vi.waitFor(() => expect(sizes).toEqual([0]), 10_000);
  await nats.close();
  await replica.stop();
  await expect(watcher.ended).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('checks access again when a match becomes private', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  await live.gateway.toggleVisibility({ jobId: match.jobId }, { caller: admin });
  const stranger = watch(match.jobId, {}, anonymous);
  const player = watch(match.jobId, {}, user('ann'));
  await vi.waitFor(() => expect([stranger, player].map((one) => one.hands().length)).toEqual([64, 64]), 10_000);
  await live.gateway.toggleVisibility({ jobId: match.jobId }, { caller: admin });
  await expect(stranger.ended).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
    message: 'This game is private and cannot be accessed.',
  });
  const chunk = playMatch(match).chunks[1]?.bytes;
  await live.runner.deliverChunk({ chunk }, { caller: leaseOf(match) });
  await vi.waitFor(() => expect(player.hands()).toHaveLength(128), 10_000);
  expect(stranger.hands()).toHaveLength(64);
});

test('streams every hand once to each of many watchers', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  const watchers = Array.from({ length: 100 }, () => watch(match.jobId));
  await vi.waitFor(() => expect(watchers.every((one) => one.hands().length === 64)).toBe(true), 20_000);
  const [, second] = playMatch(match).chunks;
  await live.runner.deliverChunk({ chunk: second?.bytes }, { caller: leaseOf(match) });
  await vi.waitFor(() => expect(watchers.every((one) => one.hands().length === 128)).toBe(true), 20_000);
  for (const watcher of watchers) expect(watcher.hands()).toEqual(numbered(1, 1, 128));
  for (const watcher of watchers) expect(watcher.kinds()).not.toContain('reset');
});

test('streams progress about every second with speed and time left', async () => {
  const { match } = await live.deliverMatch({}, { hands: 64 });
  const watcher = watch(match.jobId);
  await vi.waitFor(() => expect(watcher.events.filter((event) => event.progress).length).toBeGreaterThan(2), {
    timeout: 10_000,
  });
  const { progress } = watcher.events.findLast((event) => event.progress) ?? {};
  expect(progress).toMatchObject({ handsDone: 64, numRounds: 200, status: 'Running' });
  expect(progress?.handsPerSecond).toBeGreaterThan(0);
  expect(progress?.secondsLeft).toBeGreaterThan(0);
});

test('streams the end of a purged match', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const watcher = watch(match.jobId);
  await vi.waitFor(() => expect(watcher.hands()).toHaveLength(10), 10_000);
  await live.runner.purgeMatch({ jobId: match.jobId });
  await watcher.ended;
  expect(watcher.events.at(-1)?.ended).toMatchObject({ status: 'Deleted' });
});

test('streams and returns no hand before it has ended', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const watcher = watch(match.jobId, { batched: true });
  await vi.waitFor(() => expect(watcher.events.some((event) => event.progress)).toBe(true), 10_000);
  const events = watcher.events.filter((event) => event.handsPlayed);
  expect(events.flatMap((event) => event.handsPlayed?.hands ?? [])).toHaveLength(10);
  expect(events.at(-1)).toMatchObject({ attempt: 1, hand: 10 });
  const next = gameIdOf(match.jobId, 1, 11);
  await expect(live.gateway.getHand({ gameId: next }, { caller: admin })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
