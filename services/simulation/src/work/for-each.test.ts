import { DomainError } from '@husky/runtime/rpc/errors';
import { expect, test } from 'vitest';
import { forEach } from './for-each.ts';

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
