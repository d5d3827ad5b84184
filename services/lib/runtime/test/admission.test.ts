import { expect, test, vi } from 'vitest';
import { createAdmission } from '../src/rpc/admission.ts';

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
  const waiting = [1, 2, 3].map(() => admission.enter('a', { signal: abort.signal }).catch(() => 'cancelled'));
  await expect(admission.enter('a')).rejects.toMatchObject(overloaded);
  abort.abort();
  expect(await Promise.all(waiting)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('a caller that disconnects leaves the queue', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  const abort = new AbortController();
  const waiting = admission.enter('a', { signal: abort.signal });
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
    const enter = (who: string) => void admission.enter('a').catch(() => refused.push(who));
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
  const waiting = ['a', 'b'].map((name) => admission.enter(name, { signal: abort.signal }).catch(() => 'left'));
  await expect(admission.enter('a')).rejects.toMatchObject(overloaded);
  await expect(admission.enter('b')).rejects.toMatchObject(overloaded);
  abort.abort();
  expect(await Promise.all(waiting)).toEqual(['left', 'left']);
});

test('a call waits no longer than its own limit', async () => {
  const admission = createAdmission({ ...options, maxWaitMs: 60_000, standingWaitMs: 60_000 });
  await Promise.all([admission.enter('a'), admission.enter('a')]);
  await expect(admission.enter('a', { maxMs: 1 })).rejects.toMatchObject(overloaded);
  expect(admission.waiting).toBe(0);
});

/** An admission with a clock that only ends of calls advance. `served` lists callers in the order of their admission. */
function createShared(settings: Partial<Parameters<typeof createAdmission>[0]>) {
  let nowMs = 0;
  const waits = { maxWaiting: 500, maxWaitMs: 60_000, standingWaitMs: 60_000 };
  const admission = createAdmission({ limit: () => 4, ...waits, now: () => nowMs, ...settings });
  const served: string[] = [];
  const refused: string[] = [];
  const running: { readonly ends: number; readonly leave: () => void }[] = [];
  return {
    served,
    refused,
    running: () => running.length,
    /** Starts a call that holds a place for `costMs`. */
    async add(account: string, address: string, costMs: number) {
      const who = account || address;
      admission.enter('calls', { party: { account, address } }).then(
        (leave) => {
          served.push(who);
          running.push({ ends: nowMs + costMs, leave });
        },
        () => refused.push(who),
      );
      await turn();
    },
    /** Ends the call that ends next. */
    async end() {
      const next = running.toSorted((a, b) => a.ends - b.ends)[0];
      if (next === undefined) return;
      running.splice(running.indexOf(next), 1);
      nowMs = next.ends;
      next.leave();
      await turn();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const checkShare = { account: 1 / 4, address: 1 / 2 };

test.each<[string, (index: number) => [string, string], number]>([
  ['one account', (index) => ['mallory', `10.0.0.${index % 20}`], 1],
  ['20 accounts of one address', (index) => [`mallory ${index % 20}`, '10.0.0.1'], 2],
  ['the anonymous callers of one address', () => ['', '10.0.0.1'], 2],
])('another caller never waits for %s', async (_who, attacker, most) => {
  const calls = createShared({ share: checkShare });
  for (let index = 0; index < 200; index++) await calls.add(...attacker(index), 3000);
  expect(calls.running()).toBe(most);
  for (let round = 0; round < 10; round++) {
    await calls.add('alice', '192.0.2.1', 100);
    expect(calls.served.at(-1), 'has a place at once').toBe('alice');
    await calls.end();
  }
});

test('with one place, whoever has held it for the shortest time is next, so that one dear call counts like many cheap ones', async () => {
  const calls = createShared({ limit: () => 1 });
  for (let index = 0; index < 12; index++) await calls.add('mallory', '10.0.0.1', 3000);
  for (let index = 0; index < 12; index++) await calls.add('alice', '192.0.2.1', 100);
  for (let index = 0; index < 13; index++) await calls.end();
  expect(calls.served.slice(0, 13)).toEqual(['mallory', ...Array(12).fill('alice')]);
});

test('20 accounts of one address have the share of four, and an account behind their address one of its own', async () => {
  const calls = createShared({ limit: () => 1 });
  for (let index = 0; index < 400; index++) await calls.add(`mallory ${index % 20}`, '10.0.0.1', 100);
  await calls.add('neighbour', '10.0.0.1', 100);
  for (let index = 0; index < 30; index++) await calls.add('alice', '192.0.2.1', 100);
  for (let index = 0; index < 60; index++) await calls.end();
  const ofAlice = calls.served.slice(1, 51).filter((who) => who === 'alice').length;
  expect(ofAlice).toBeGreaterThanOrEqual(9);
  expect(calls.served.indexOf('neighbour'), 'as soon as each of the others has been served').toBeLessThanOrEqual(30);
});

test('a caller who was away has no claim on the time of others', async () => {
  const calls = createShared({ limit: () => 1 });
  for (let index = 0; index < 20; index++) await calls.add('busy', '10.0.0.1', 1000);
  for (let index = 0; index < 10; index++) await calls.end();
  for (let index = 0; index < 10; index++) await calls.add('away', '192.0.2.1', 1000);
  for (let index = 0; index < 8; index++) await calls.end();
  const since = calls.served.slice(11);
  expect(since.filter((who) => who === 'busy').length).toBeGreaterThanOrEqual(3);
});

test('a full queue refuses the newest call of the address, and of its accounts the one, with most, in favour of others', async () => {
  const calls = createShared({ limit: () => 1, maxWaiting: 6 });
  for (const who of ['a', 'a', 'a', 'a', 'b', 'b', 'b']) await calls.add(who, '10.0.0.1', 100);
  await calls.add('alice', '192.0.2.1', 100);
  expect(calls.refused).toEqual(['b']);
  await calls.add('c', '10.0.0.1', 100);
  expect(calls.refused).toEqual(['b', 'a']);
  await calls.add('a', '10.0.0.1', 100);
  expect(calls.refused).toEqual(['b', 'a', 'a']);
});

test('a call that holds a place may take a second one beyond the share of its account', async () => {
  const admission = createAdmission({ ...options, limit: () => 4, share: checkShare, maxWaitMs: 60_000 });
  const party = { account: 'alice', address: '192.0.2.1' };
  await admission.enter('a', { party });
  await admission.enter('a', { party, beyondShare: true });
  await expect(admission.enter('a', { party, maxMs: 1 })).rejects.toMatchObject(overloaded);
});
