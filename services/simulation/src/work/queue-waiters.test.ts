import { expect, test } from 'vitest';
import { manualTimers } from '../../test/manual-timers.ts';
import { QueueWaiters } from './queue-waiters.ts';

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
