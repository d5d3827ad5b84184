import { afterEach, expect, test } from 'vitest';
import { startThreads, type Threads } from '../src/process/threads.ts';

const pools: Threads<number, number>[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function roots(count: number): Threads<number, number> {
  const pool = startThreads<number, number>(new URL('./root-thread.ts', import.meta.url), { count, niceness: 1 });
  pools.push(pool);
  return pool;
}

test('runs jobs in threads and returns their results in the order of the calls', async () => {
  const pool = roots(2);
  expect(await Promise.all([4, 9, 16, 25, 36].map((square) => pool.run(square)))).toEqual([2, 3, 4, 5, 6]);
});

test('rejects with the message of a job that fails and goes on', async () => {
  const pool = roots(1);
  await expect(pool.run(-1)).rejects.toThrow('-1 has no root');
  expect(await pool.run(9)).toBe(3);
});

test('rejects the jobs of a thread that ends and starts another one', async () => {
  const pool = roots(1);
  await expect(Promise.all([pool.run(Number.NaN), pool.run(4)])).rejects.toThrow('the thread ended');
  expect(await pool.run(9)).toBe(3);
});

test('rejects pending jobs when it is closed', async () => {
  const pool = roots(1);
  expect(await pool.run(4)).toBe(2);
  const pending = expect(pool.run(Number.POSITIVE_INFINITY)).rejects.toThrow('the thread ended');
  await Promise.all([pool.close(), pending]);
});
