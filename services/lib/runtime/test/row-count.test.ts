import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countRows } from '../src/database/row-count.ts';
import { sql } from '../src/database/sql.ts';

const poolWith = (totals: readonly number[]) => {
  const remaining = [...totals];
  const query = vi.fn(async () => ({ rows: [{ total: remaining.shift() }] }));
  return { pool: { query } as unknown as pg.Pool, query };
};
const statement = (value: string) => sql`SELECT count(*) AS total FROM t WHERE a = ${value}`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  // lru-cache treats a start time of 0 as unset.
  vi.advanceTimersByTime(1000);
});
afterEach(() => void vi.useRealTimers());

test('caches a large count for 10 s, for the same statement and pool', async () => {
  const { pool, query } = poolWith([10_000, 20_000, 30_000]);
  expect(await countRows(pool, statement('x'))).toBe(10_000);
  expect(await countRows(pool, statement('x'))).toBe(10_000);
  expect(await countRows(pool, statement('y'))).toBe(20_000);
  expect(await countRows(poolWith([7]).pool, statement('x'))).toBe(7);
  vi.advanceTimersByTime(10_001);
  expect(await countRows(pool, statement('x'))).toBe(30_000);
  expect(query).toHaveBeenCalledTimes(3);
});

test('never caches a smaller count', async () => {
  const { pool } = poolWith([9999, 10]);
  expect(await countRows(pool, statement('x'))).toBe(9999);
  expect(await countRows(pool, statement('x'))).toBe(10);
});
