import { prepared, type Sql, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import { type AttemptKey, attemptTtlMs, blocksMs, tooManyAttempts } from '../domain/back-off.ts';

const hashesOf = (keys: readonly AttemptKey[]) => keys.map(({ key }) => Buffer.from(key));

/** SQL for those of `keys` that have a row; locks the rows in ascending order, to prevent deadlocks. */
const lockedKeys = (keys: readonly AttemptKey[]): Sql =>
  sql`(SELECT array_agg(key) FROM (
    SELECT key FROM login_attempts WHERE key = ANY(${hashesOf(keys)}::bytea[]) ORDER BY key FOR UPDATE) AS stored)::bytea[]`;

/**
 * Returns when the name was last signed in from the network of `place`; null: not in the last 90 days (known-networks.ts). Throws RESOURCE_EXHAUSTED while any counter is blocked: one of
 * `knownKeys` if the network is known, otherwise one of `strangerKeys`. One read without locks: floods of sign-ins run only this.
 */
export async function checkSignIn(
  pool: pg.Pool,
  place: AttemptKey['key'],
  knownKeys: readonly AttemptKey[],
  strangerKeys: readonly AttemptKey[],
  now: Date,
): Promise<Date | null> {
  const statement = sql`SELECT seen_at AS "seenAt", (SELECT max(blocked_until) FROM login_attempts
      WHERE key = ANY(CASE WHEN seen_at IS NULL THEN ${hashesOf(strangerKeys)}::bytea[] ELSE ${hashesOf(knownKeys)}::bytea[] END)) AS until
    FROM (SELECT (SELECT seen_at FROM known_places WHERE key = ${Buffer.from(place)}) AS seen_at) AS place`;
  const { rows } = await pool.query<{ seenAt: Date | null; until: Date | null }>(prepared('check-sign-in', statement));
  throwIfBlockedUntil(now, rows[0]?.until ?? null);
  return rows[0]?.seenAt ?? null;
}

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts cannot exceed the limit. backOffClearing refunds it
 * after a success. Throws RESOURCE_EXHAUSTED while any counter is blocked; the others are then refunded.
 */
export async function countAttempt(pool: pg.Pool, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const freeFailures = keys.map(({ policy }) => policy.freeFailures);
  // One array literal per key: rows of a multidimensional array must have equal length.
  const blocks = keys.map(({ policy }) => `{${blocksMs(policy).join()}}`);
  const statement = sql`WITH policies AS (
      SELECT key, free, blocks::int[] AS blocks
      FROM unnest(${hashesOf(keys)}::bytea[], ${freeFailures}::int[], ${blocks}::text[]) AS policy (key, free, blocks))
    INSERT INTO login_attempts AS stored (key, failures, updated_at) SELECT key, 1, ${now} FROM policies ORDER BY key
    ON CONFLICT (key) DO UPDATE SET updated_at = excluded.updated_at, (failures, blocked_until) = (
      SELECT counted.failures, excluded.updated_at
        + interval '1 ms' * blocks[least(counted.failures - free + 1, cardinality(blocks))]
      FROM policies, (SELECT CASE WHEN stored.updated_at < ${new Date(now.getTime() - attemptTtlMs)} THEN 1
        ELSE stored.failures + 1 END AS failures) AS counted
      WHERE policies.key = stored.key)
    WHERE stored.blocked_until IS NULL OR stored.blocked_until <= excluded.updated_at
    RETURNING key`;
  const { rows } = await pool.query<{ key: Buffer }>(prepared('count-attempt', statement));
  if (rows.length === keys.length) return;
  const { counted = [], blocked = [] } = Object.groupBy(keys, ({ key }) =>
    rows.some((row) => row.key.equals(key)) ? 'counted' : 'blocked',
  );
  if (counted.length > 0) await refundAttempt(pool, counted, now);
  const { rows: until } = await pool.query<{ until: Date | null }>(
    sql`SELECT max(blocked_until) AS until FROM login_attempts WHERE key = ANY(${hashesOf(blocked)}::bytea[])`,
  );
  throwIfBlockedUntil(now, until[0]?.until ?? null);
  // A success has cleared the counter meanwhile.
  throw tooManyAttempts(0);
}

/** Refunds an attempt counted at `countedAt` whose password could not be checked. Blocks by later attempts stay. */
export async function refundAttempt(pool: pg.Pool, keys: readonly AttemptKey[], countedAt: Date): Promise<void> {
  await pool.query(
    sql`UPDATE login_attempts SET failures = failures - 1,
        blocked_until = CASE WHEN updated_at = ${countedAt} THEN NULL ELSE blocked_until END
      WHERE key = ANY(${lockedKeys(keys)}) AND failures > 0`,
  );
}

/** Common table expressions that, after a success, refund the attempt and clear the back-off of this user and network. */
export function backOffClearing(keys: readonly AttemptKey[]): Sql {
  const cleared = hashesOf(keys.filter(({ clearedBySuccess }) => clearedBySuccess));
  return sql`locked AS MATERIALIZED (SELECT ${lockedKeys(keys)} AS keys),
    cleared AS (DELETE FROM login_attempts WHERE key = ANY((SELECT keys FROM locked)::bytea[]) AND key = ANY(${cleared}::bytea[])),
    refunded AS (UPDATE login_attempts SET failures = failures - 1, blocked_until = NULL
      WHERE key = ANY((SELECT keys FROM locked)::bytea[]) AND key <> ALL(${cleared}::bytea[]) AND failures > 0)`;
}

function throwIfBlockedUntil(now: Date, blockedUntil: Date | null): void {
  const waitMs = (blockedUntil?.getTime() ?? 0) - now.getTime();
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}
