import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** A parametrised statement: `text` with $1, $2, … for `values`. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const large = 10_000;
const keptMs = 10_000;
const maxKept = 500;

const keptOf = new WeakMap<pg.Pool, LRUCache<string, number>>();

/**
 * Returns `total` of a statement that counts rows. A count of 10,000 rows or more is kept for 10 s, because counting a million
 * takes 0.1 s for every page of a list. A smaller one is always exact.
 */
export async function countRows(pool: pg.Pool, statement: Statement): Promise<number> {
  const kept = keptOf.get(pool) ?? new LRUCache({ max: maxKept, ttl: keptMs, perf: { now: () => performance.now() } });
  keptOf.set(pool, kept);
  const key = JSON.stringify([statement.text, statement.values]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { rows } = await pool.query<{ total: number }>({ text: statement.text, values: [...statement.values] });
  const total = rows[0]?.total ?? 0;
  if (total >= large) kept.set(key, total);
  return total;
}
