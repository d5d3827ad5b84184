import { expect, test } from 'vitest';
import { QueueWaiters } from './queue-waiters.ts';

const never = new AbortController().signal;

test('a wake-up wakes the one that waits longest', async () => {
  const waiters = new QueueWaiters();
  const [first, second] = [waiters.enter(), waiters.enter()];
  const order: string[] = [];
  const waits = [
    first.woken(1000, never).then(() => order.push('first')),
    second.woken(50, never).then(() => order.push('second')),
  ];
  waiters.wakeOne();
  await Promise.all(waits);
  expect(order).toEqual(['first', 'second']);
});

test('a wake-up before the wait is not lost, and one that is not used goes to the next', async () => {
  const waiters = new QueueWaiters();
  const [first, second] = [waiters.enter(), waiters.enter()];
  waiters.wakeOne();
  first.leave();
  const started = performance.now();
  await second.woken(1000, never);
  expect(performance.now() - started).toBeLessThan(500);
});

test('closing wakes everybody, also those who come later; an abort ends the wait', async () => {
  const waiters = new QueueWaiters();
  const abort = new AbortController();
  const waiting = waiters.enter().woken(10_000, abort.signal);
  abort.abort();
  await waiting;
  waiters.close();
  await waiters.enter().woken(10_000, never);
  expect(waiters.closed).toBe(true);
});
