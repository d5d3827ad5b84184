import { prepared, type Sql, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { type AttemptKey, blocksMs, type Places, type Proof, tooManyAttempts } from '../domain/back-off.ts';

const hashesOf = (keys: readonly AttemptKey[]) => keys.map(({ key }) => Buffer.from(key));

/** SQL for those of `keys` that have a row; locks the rows in ascending order, to prevent deadlocks. */
const lockedKeys = (keys: readonly AttemptKey[]): Sql =>
  sql`(SELECT array_agg(key) FROM (
    SELECT key FROM login_attempts WHERE key = ANY(${hashesOf(keys)}::bytea[]) ORDER BY key FOR UPDATE) AS stored)::bytea[]`;

/** What is known about the place of a sign-in. `seenAt`: when the name was last signed in from the address; null: not in the last 90 days. */
export interface KnownPlace {
  readonly proof: Exclude<Proof, 'device'>;
  readonly seenAt: Date | null;
}

/**
 * Returns what is known about the place of a sign-in. Throws RESOURCE_EXHAUSTED while any counter of its proof is
 * blocked. `deviceKeys`: the counters of the device; undefined: it is not known. One read without locks: floods of sign-ins run only this.
 */
export async function checkSignIn(
  pool: pg.Pool,
  places: Places,
  keysOf: (proof: KnownPlace['proof']) => readonly AttemptKey[],
  deviceKeys: readonly AttemptKey[] | undefined,
  now: Date,
): Promise<KnownPlace> {
  const hashes = (proof: KnownPlace['proof']) => hashesOf(deviceKeys ?? keysOf(proof));
  const statement = sql`SELECT proof, seen_at AS "seenAt", (SELECT max(blocked_until) FROM login_attempts WHERE key = ANY(CASE proof
        WHEN 'address' THEN ${hashes('address')}::bytea[] WHEN 'network' THEN ${hashes('network')}::bytea[]
        ELSE ${hashes('none')}::bytea[] END)) AS until
    FROM (SELECT seen_at, CASE WHEN seen_at IS NOT NULL THEN 'address'
        WHEN EXISTS (SELECT FROM known_places WHERE key = ${Buffer.from(places.network)}) THEN 'network' ELSE 'none' END AS proof
      FROM (SELECT (SELECT seen_at FROM known_places WHERE key = ${Buffer.from(places.address)}) AS seen_at) AS place) AS found`;
  const { rows } = await pool.query<KnownPlace & { until: Date | null }>(prepared('check-sign-in', statement));
  const { proof = 'none', seenAt = null, until = null } = rows[0] ?? {};
  throwIfBlockedUntil(now, until);
  return { proof, seenAt };
}

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts cannot exceed the limit. backOffClearing refunds it
 * after a success. Throws RESOURCE_EXHAUSTED while any counter is blocked; the others are then refunded.
 */
export async function countAttempt(pool: pg.Pool, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const freeFailures = keys.map(({ policy }) => policy.freeFailures);
  // One array literal per key: rows of a multidimensional array must have equal length.
  const blocks = keys.map(({ policy }) => `{${blocksMs(policy).join()}}`);
  const countsSince = keys.map(({ policy }) => new Date(now.getTime() - policy.ttlMs));
  const statement = sql`WITH policies AS (
      SELECT key, free, blocks::int[] AS blocks, since
      FROM unnest(${hashesOf(keys)}::bytea[], ${freeFailures}::int[], ${blocks}::text[], ${countsSince}::timestamptz[])
        AS policy (key, free, blocks, since))
    INSERT INTO login_attempts AS stored (key, failures, updated_at) SELECT key, 1, ${now} FROM policies ORDER BY key
    ON CONFLICT (key) DO UPDATE SET updated_at = excluded.updated_at, (failures, blocked_until) = (
      SELECT counted.failures, excluded.updated_at
        + interval '1 ms' * blocks[least(counted.failures - free + 1, cardinality(blocks))]
      FROM policies, LATERAL (SELECT CASE WHEN stored.updated_at < since THEN 1 ELSE stored.failures + 1 END AS failures) AS counted
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

/** Common table expression that clears the counters of an attempt after a success. */
export function backOffClearing(keys: readonly AttemptKey[]): Sql {
  return sql`cleared AS (DELETE FROM login_attempts WHERE key = ANY(${lockedKeys(keys)}))`;
}

function throwIfBlockedUntil(now: Date, blockedUntil: Date | null): void {
  const waitMs = (blockedUntil?.getTime() ?? 0) - now.getTime();
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}

/** SQL that remembers for 90 days that a name was signed in from an address and its network. Without `places` it does nothing. */
export function knownPlacesInsert(places: Places | null, now: Date): Sql {
  const keys =
    places === null ? [] : [places.network, places.address].map((key) => Buffer.from(key)).sort(Buffer.compare);
  return sql`INSERT INTO known_places (key, seen_at) SELECT key, ${now}::timestamptz FROM unnest(${keys}::bytea[]) AS place (key)
    ON CONFLICT (key) DO UPDATE SET seen_at = excluded.seen_at`;
}
