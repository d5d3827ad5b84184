import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Sql } from './sql.ts';

const large = 10_000;
const cacheMs = 10_000;
const maxCached = 500;

const caches = new WeakMap<pg.Pool, LRUCache<string, number>>();

/**
 * Returns `total` of a statement that counts rows. Caches a count of 10,000 rows or more for 10 s, because counting a million takes
 * 0.1 s for every page of a list. A smaller count is always exact.
 */
export async function countRows(pool: pg.Pool, statement: Sql): Promise<number> {
  const cache =
    caches.get(pool) ?? new LRUCache({ max: maxCached, ttl: cacheMs, perf: { now: () => performance.now() } });
  caches.set(pool, cache);
  const key = JSON.stringify([statement.text, statement.values]);
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const { rows } = await pool.query<{ total: number }>(statement);
  const total = rows[0]?.total ?? 0;
  if (total >= large) cache.set(key, total);
  return total;
}

/**
 * Returns the number of rows of a list of which a page was read: `onPage` rows after the first `skip`. Calls `count` only if the page does not
 * show the end of the list, because it is full, or empty and not the first one.
 */
export function totalOf(
  { skip, onPage, pageSize }: { readonly skip: number; readonly onPage: number; readonly pageSize: number },
  count: () => Promise<number>,
): number | Promise<number> {
  const isLastPage = onPage < pageSize && (onPage > 0 || skip === 0);
  return isLastPage ? skip + onPage : count();
}
