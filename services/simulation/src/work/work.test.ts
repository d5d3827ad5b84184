import { createLogger } from '@husky/runtime/process/logger';
import { DomainError } from '@husky/runtime/rpc/errors';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { manualTimers } from '../../test/manual-timers.ts';
import { forEach } from './for-each.ts';
import { PurgeFailures } from './purge-failures.ts';
import { QueueWaiters } from './queue-waiters.ts';
import { reservedMs, whileReserved } from './reservation.ts';

describe('for each', () => {
  const items = Array.from({ length: 100 }, (_, n) => n);
  const unavailable = new DomainError('UNAVAILABLE', 'service-unavailable', 'unavailable');
  const internal = new DomainError('INTERNAL', 'internal', 'internal');

  /** Runs `forEach`; `errorOf` returns the error of an item. Returns the outcome and the items that were begun. */
  async function run(errorOf: (item: number) => Error | undefined) {
    const begun: number[] = [];
    const outcome = await forEach(items, 4, async (item) => {
      begun.push(item);
      await Promise.resolve();
      const error = errorOf(item);
      if (error) throw error;
    });
    return { ...outcome, begun };
  }

  test('does all items, also after a failure', async () => {
    const { done, failed, outage } = await run((item) => (item === 3 ? internal : undefined));
    expect(done).toEqual(items.filter((item) => item !== 3));
    expect(failed).toEqual([{ item: 3, error: internal }]);
    expect(outage).toBeUndefined();
  });

  test('begins no further item after five failures', async () => {
    const { done, failed, begun } = await run(() => internal);
    expect(done).toEqual([]);
    expect(failed).toHaveLength(begun.length);
    expect(begun.length).toBeGreaterThanOrEqual(5);
    expect(begun.length).toBeLessThan(5 + 4);
  });

  test('begins no further item after a transient error, which counts for no item', async () => {
    const { done, failed, outage, begun } = await run((item) => (item === 1 ? unavailable : undefined));
    expect(outage).toBe(unavailable);
    expect(failed).toEqual([]);
    expect(done).toHaveLength(begun.length - 1);
    expect(begun.length).toBeLessThan(2 * 4);
  });
});

describe('purge failures', () => {
  const hour = 60 * 60_000;
  const start = Date.UTC(2027, 0, 1);

  function startFailures() {
    const log = createLogger('simulation', 'fatal');
    const warn = vi.spyOn(log, 'warn');
    const failures = new PurgeFailures(log);
    const record = (done: string[], failed: string[], now = start, cause = 'a defect') =>
      failures.record({ done, failed: failed.map((item) => ({ item, error: new Error(cause) })) }, now);
    return { failures, record, logged: () => warn.mock.calls.length };
  }

  test('logs a failure once for each job and cause', () => {
    const { failures, record, logged } = startFailures();
    record([], ['a', 'b']);
    record([], ['a', 'b']);
    expect(logged()).toBe(2);
    record([], ['a'], start, 'another defect');
    expect(logged()).toBe(3);
    record(['a'], []);
    expect(failures.jobIds).toEqual(['b']);
  });

  test('forgets all jobs after an hour', () => {
    const { failures, record, logged } = startFailures();
    record([], ['purged by another replica']);
    record([], ['b'], start + hour - 1);
    record([], ['b'], start + hour);
    expect(failures.jobIds).toEqual(['b']);
    expect(logged()).toBe(3);
  });

  test('logs no more than 1,000 jobs within an hour', () => {
    const { failures, record, logged } = startFailures();
    const ids = Array.from({ length: 2000 }, (_, n) => `job ${n}`);
    for (let n = 0; n < 3; n++) record([], ids);
    expect(failures.jobIds).toHaveLength(1000);
    expect(logged()).toBe(1000);
  });
});

describe('queue waiters', () => {
  const never = new AbortController().signal;

  /** Creates waiters with manual timers; `order` lists the names of those whose wait has ended. */
  function setUp() {
    const timers = manualTimers();
    const waiters = new QueueWaiters(timers);
    const order: string[] = [];
    const wait = (name: string, ms: number, signal = never) => {
      const ticket = waiters.enter();
      return { ticket, ended: ticket.wait(ms, signal).then(() => order.push(name)) };
    };
    return { timers, waiters, order, wait };
  }

  test('wakes only the runner that has waited longest', async () => {
    const { timers, waiters, order, wait } = setUp();
    const [first, second] = [wait('first', 1000), wait('second', 50)];
    waiters.wake();
    await first.ended;
    expect(order).toEqual(['first']);
    timers.advance(50);
    await second.ended;
    expect(order).toEqual(['first', 'second']);
  });

  test('wakes as many runners as requested, each once', async () => {
    const { waiters, order, wait } = setUp();
    const all = ['first', 'second', 'third', 'fourth'].map((name) => wait(name, 1000));
    waiters.wake(2);
    await Promise.all(all.slice(0, 2).map(({ ended }) => ended));
    expect(order).toEqual(['first', 'second']);
    waiters.wake();
    await all[2]?.ended;
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test('ends a wait at its time limit', async () => {
    const { timers, order, wait } = setUp();
    const waiting = wait('runner', 300);
    timers.advance(299);
    await Promise.resolve();
    expect(order).toEqual([]);
    timers.advance(1);
    await waiting.ended;
  });

  test('keeps a wake-up before the wait, and passes an unused one on to the next runner', async () => {
    const { waiters } = setUp();
    const [first, second] = [waiters.enter(), waiters.enter()];
    waiters.wake();
    await first.wait(1000, never);
    first.leave();
    await second.wait(1000, never);
  });

  test('does not pass a used wake-up on to the next runner', async () => {
    const { waiters, order, wait } = setUp();
    const [first, second] = [wait('first', 1000), wait('second', 1000)];
    waiters.wake();
    await first.ended;
    first.ticket.consumeWakeUp();
    first.ticket.leave();
    expect(order).toEqual(['first']);
    waiters.wake();
    await second.ended;
  });

  test('resolves all pending and future waits on close, and one wait on abort', async () => {
    const { waiters, wait } = setUp();
    const abort = new AbortController();
    const aborted = wait('aborted', 10_000, abort.signal);
    abort.abort();
    await aborted.ended;
    await wait('late', 10_000, abort.signal).ended;
    const pending = wait('pending', 10_000);
    waiters.close();
    await pending.ended;
    await wait('future', 10_000).ended;
    expect(waiters.closed).toBe(true);
  });
});

test('renews a reservation every ten seconds while the work lasts, from where it ends', async () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const renewed: number[][] = [];
  const renew = async (from: number, to: number) => {
    renewed.push([from - reservedMs, to - reservedMs]);
    if (to === reservedMs + 20_000) throw new Error('the database is away');
  };
  const context = { log: createLogger('test', 'silent'), now: Date.now };
  const work = whileReserved(context, 0, renew, () => new Promise((resolve) => setTimeout(resolve, 35_000, 'done')));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await work).toBe('done');
  expect(renewed).toEqual([
    [0, 10_000],
    [10_000, 20_000],
    [10_000, 30_000],
  ]);
});
