import { expect, test, vi } from 'vitest';
import { createAdaptiveLimit } from '../src/adaptive-limit.ts';
import { createAdmission } from '../src/admission.ts';

const options = { limit: () => 2, maxWaiting: 3, maxWaitMs: 20, standingWaitMs: 5 };
const overloaded = { code: 'UNAVAILABLE', reason: 'overloaded' };

test('admits up to the limit and the next when a place becomes free', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000 });
  const releases = [await admission.enter('a'), await admission.enter('a')];
  const third = admission.enter('a');
  expect(await Promise.race([third, Promise.resolve('waits')])).toBe('waits');
  releases[0]?.();
  releases[0]?.();
  await third;
  expect([admission.running, admission.waiting]).toEqual([2, 0]);
});

test('refuses with a time to retry when no place becomes free in time', async () => {
  const admission = createAdmission(options);
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  const refusal: unknown = await admission.enter('a').catch((error: unknown) => error);
  expect(refusal).toMatchObject(overloaded);
  expect((refusal as { retryAfterS: number }).retryAfterS).toBeGreaterThanOrEqual(2);
  expect(admission.waiting).toBe(0);
});

test('refuses at once when the queue is full', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  const abort = new AbortController();
  const waiting = [1, 2, 3].map(() => admission.enter('a', abort.signal).catch(() => 'cancelled'));
  await expect(admission.enter('a')).rejects.toMatchObject(overloaded);
  abort.abort();
  expect(await Promise.all(waiting)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('a caller that disconnects leaves the queue', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  const abort = new AbortController();
  const waiting = admission.enter('a', abort.signal);
  abort.abort(new Error('disconnected'));
  await expect(waiting).rejects.toThrow('disconnected');
  expect([admission.running, admission.waiting]).toEqual([2, 0]);
});

test('gives a free place to the class with the smallest share', async () => {
  const admission = createAdmission({ ...options, maxWaiting: 100, maxWaitMs: 60_000 });
  const releases = [await admission.enter('visitors'), await admission.enter('visitors')];
  const order: string[] = [];
  const enter = (name: string) => admission.enter(name).then(() => order.push(name));
  const all = [enter('visitors'), enter('visitors'), enter('runners')];
  releases[0]?.();
  await all[2];
  releases[1]?.();
  await all[0];
  expect(order).toEqual(['runners', 'visitors']);
});

test('shortens the wait while the queue never becomes empty', async () => {
  vi.useFakeTimers();
  try {
    const admission = createAdmission({ ...options, maxWaiting: 100, maxWaitMs: 1000, standingWaitMs: 50 });
    await Promise.all([admission.enter('a'), admission.enter('a')]);
    const refused: string[] = [];
    const enter = (name: string) => void admission.enter(name).catch(() => refused.push(name));
    enter('first');
    await vi.advanceTimersByTimeAsync(900);
    enter('second');
    await vi.advanceTimersByTimeAsync(200);
    enter('third');
    await vi.advanceTimersByTimeAsync(60);
    expect(refused).toEqual(['first', 'third']);
  } finally {
    vi.useRealTimers();
  }
});

const adaptiveLimit = (min: () => number, now: () => number) =>
  createAdaptiveLimit({ min, max: 128, first: 64, targetMs: 100, everyMs: 100, now });

test('the adaptive limit decreases while calls are slow and increases again, within bounds that may change', () => {
  let nowMs = 0;
  let min = 8;
  const limit = adaptiveLimit(
    () => min,
    () => nowMs,
  );
  const period = (durationMs: number, running: number) => {
    for (let call = 0; call < 20; call++) {
      nowMs += 10;
      limit.record(durationMs, running);
    }
  };
  period(500, limit.current);
  expect(limit.current).toBeLessThan(64);
  for (let at = 0; at < 20; at++) period(500, limit.current);
  expect(limit.current).toBe(8);
  min = 32;
  period(500, 0);
  expect(limit.current).toBe(32);
  for (let at = 0; at < 100; at++) period(5, limit.current);
  expect(limit.current).toBe(128);
});

test('a few slow calls do not decrease the adaptive limit', () => {
  let nowMs = 0;
  const limit = adaptiveLimit(
    () => 8,
    () => nowMs,
  );
  for (let call = 0; call < 100; call++) {
    nowMs += 20;
    limit.record(5000, 3);
  }
  expect(limit.current).toBe(64);
});

test('a class at its own limit leaves the other places to the others, in whatever order they come', async () => {
  const settings = {
    ...options,
    limit: () => 3,
    maxRunning: { visitors: 2 },
    maxWaitMs: 60_000,
    standingWaitMs: 60_000,
  };
  const admission = createAdmission(settings);
  const leaves = [await admission.enter('visitors'), await admission.enter('visitors')];
  const third = admission.enter('visitors');
  expect(await Promise.race([third, Promise.resolve('waits')])).toBe('waits');
  const leaveRunner = await admission.enter('runners');
  expect([admission.running, admission.waiting]).toEqual([3, 1]);
  leaveRunner();
  expect(await Promise.race([third, Promise.resolve('waits')]), 'a place of runners is none of visitors').toBe('waits');
  leaves[0]?.();
  await third;
  expect([admission.running, admission.waiting]).toEqual([2, 0]);
});

test('bounds the queue of each class, so that a flood of one refuses no other', async () => {
  const admission = createAdmission({ ...options, maxWaiting: 1, maxWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  const abort = new AbortController();
  const waiting = ['a', 'b'].map((name) => admission.enter(name, abort.signal).catch(() => 'left'));
  await expect(admission.enter('a')).rejects.toMatchObject(overloaded);
  await expect(admission.enter('b')).rejects.toMatchObject(overloaded);
  abort.abort();
  expect(await Promise.all(waiting)).toEqual(['left', 'left']);
});

test('a call waits no longer than its own limit', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000, standingWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  await expect(admission.enter('a', undefined, 1)).rejects.toMatchObject(overloaded);
  expect(admission.waiting).toBe(0);
});
