import { prepared, type Sql, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import { type AttemptKey, attemptTtlMs, blocksMs, tooManyAttempts } from '../domain/back-off.ts';
import type { Db } from './database.ts';

const hashesOf = (keys: readonly AttemptKey[]) => keys.map(({ key }) => Buffer.from(key));

/** The stored counters of these keys as an array, locked in ascending order, so that statements of several keys cannot deadlock. */
const lockedKeys = (keys: readonly AttemptKey[]): Sql =>
  sql`(SELECT array_agg(key) FROM (
    SELECT key FROM login_attempts WHERE key = ANY(${hashesOf(keys)}::bytea[]) ORDER BY key FOR UPDATE) AS stored)::bytea[]`;

/** What is known of the network of a sign-in. */
export interface KnownPlace {
  /** When the name was last signed in from it; null: never, in the last 90 days. */
  readonly seenAt: Date | null;
}

/**
 * Returns when the network of `place` was last seen (known-networks.ts). Throws RESOURCE_EXHAUSTED while any counter is blocked: one of
 * `knownKeys` if it is known, otherwise one of `strangerKeys`. One read without locks: floods of sign-ins run only this.
 */
export async function checkSignIn(
  pool: pg.Pool,
  place: AttemptKey['key'],
  knownKeys: readonly AttemptKey[],
  strangerKeys: readonly AttemptKey[],
  now: Date,
): Promise<KnownPlace> {
  const statement = sql`SELECT seen_at AS "seenAt", (SELECT max(blocked_until) FROM login_attempts
      WHERE key = ANY(CASE WHEN seen_at IS NULL THEN ${hashesOf(strangerKeys)}::bytea[] ELSE ${hashesOf(knownKeys)}::bytea[] END)) AS until
    FROM (SELECT (SELECT seen_at FROM known_places WHERE key = ${Buffer.from(place)}) AS seen_at) AS place`;
  const { rows } = await pool.query<KnownPlace & { until: Date | null }>(prepared('check-sign-in', statement));
  throwIfBlockedUntil(now, rows[0]?.until ?? null);
  return { seenAt: rows[0]?.seenAt ?? null };
}

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts cannot exceed the limit. clearBackOff refunds it
 * after a success. Throws RESOURCE_EXHAUSTED, without counting, while any counter is blocked.
 */
export async function countAttempt(pool: pg.Pool, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const frees = keys.map(({ policy }) => policy.freeFailures);
  // An array for each key, as text, because arrays of arrays are rectangles.
  const blocks = keys.map(({ policy }) => `{${blocksMs(policy).join()}}`);
  const statement = sql`WITH policies AS (
      SELECT key, free, blocks::int[] AS blocks
      FROM unnest(${hashesOf(keys)}::bytea[], ${frees}::int[], ${blocks}::text[]) AS policy (key, free, blocks))
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
  const isCounted = ({ key }: AttemptKey) => rows.some((row) => row.key.equals(key));
  await refundAttempt(pool, keys.filter(isCounted), now);
  const blocked = keys.filter((key) => !isCounted(key));
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

/** After a success: refunds the attempt and clears the back-off of this user and network. */
export async function clearBackOff(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  const cleared = hashesOf(keys.filter(({ clearedBySuccess }) => clearedBySuccess));
  await tx.$executeRaw(sql`WITH locked AS MATERIALIZED (SELECT ${lockedKeys(keys)} AS keys),
      cleared AS (DELETE FROM login_attempts WHERE key = ANY((SELECT keys FROM locked)::bytea[]) AND key = ANY(${cleared}::bytea[]))
    UPDATE login_attempts SET failures = failures - 1, blocked_until = NULL
    WHERE key = ANY((SELECT keys FROM locked)::bytea[]) AND key <> ALL(${cleared}::bytea[]) AND failures > 0`);
}

function throwIfBlockedUntil(now: Date, blockedUntil: Date | null): void {
  const waitMs = (blockedUntil?.getTime() ?? 0) - now.getTime();
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}
