import { join, prepared, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import { type AttemptKey, attemptTtlMs, blockMs, tooManyAttempts } from '../domain/back-off.ts';
import type { Db } from './database.ts';

const hashesOf = (keys: readonly AttemptKey[]) => keys.map(({ key }) => Buffer.from(key));

// Attempts that share a counter are serialised. Locks are taken in ascending order, so that they cannot deadlock.
async function lock(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  const numbers = hashesOf(keys).map((hash) => hash.readBigInt64BE());
  const ordered = numbers.sort((a, b) => (a < b ? -1 : 1)).map(String);
  await tx.$queryRaw(sql`SELECT pg_advisory_xact_lock(number)::text FROM unnest(${ordered}::bigint[]) AS number`);
}

/**
 * Returns whether the network of `place` is known (known-networks.ts). Throws RESOURCE_EXHAUSTED while any counter is blocked: one of
 * `knownKeys` if it is, otherwise one of `strangerKeys`. One read without locks: floods of sign-ins run only this.
 */
export async function checkSignIn(
  pool: pg.Pool,
  place: AttemptKey['key'],
  knownKeys: readonly AttemptKey[],
  strangerKeys: readonly AttemptKey[],
  now: Date,
): Promise<boolean> {
  const statement = sql`SELECT known, (SELECT max(blocked_until) FROM login_attempts
      WHERE key = ANY(CASE WHEN known THEN ${hashesOf(knownKeys)}::bytea[] ELSE ${hashesOf(strangerKeys)}::bytea[] END)) AS until
    FROM (SELECT EXISTS (SELECT FROM known_places WHERE key = ${Buffer.from(place)}) AS known) AS place`;
  const { rows } = await pool.query<{ known: boolean; until: Date | null }>(prepared('check-sign-in', statement));
  throwIfBlockedUntil(now, [rows[0]?.until ?? null]);
  return rows[0]?.known === true;
}

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts cannot exceed the limit. clearBackOff refunds it
 * after a success. Throws RESOURCE_EXHAUSTED, without counting, while any counter is blocked.
 */
export async function countAttempt(tx: Db, keys: readonly AttemptKey[], now: Date): Promise<void> {
  await lock(tx, keys);
  const rows = await tx.loginAttempt.findMany({ where: { key: { in: keys.map(({ key }) => key) } } });
  throwIfBlockedUntil(
    now,
    rows.map((row) => row.blockedUntil),
  );
  const counted = keys.map(({ key, policy }) => {
    const row = rows.find((candidate) => Buffer.compare(candidate.key, key) === 0);
    const expired = !row || now.getTime() - row.updatedAt.getTime() > attemptTtlMs;
    const failures = expired ? 1 : row.failures + 1;
    const wait = blockMs(failures, policy);
    const blockedUntil = wait === 0 ? null : new Date(now.getTime() + wait);
    return sql`(${Buffer.from(key)}::bytea, ${failures}::int, ${blockedUntil}::timestamptz, ${now}::timestamptz)`;
  });
  await tx.$executeRaw(sql`INSERT INTO login_attempts (key, failures, blocked_until, updated_at) VALUES ${join(counted)}
    ON CONFLICT (key) DO UPDATE SET
      failures = excluded.failures, blocked_until = excluded.blocked_until, updated_at = excluded.updated_at`);
}

/** Refunds an attempt counted at `countedAt` whose password could not be checked. Blocks by later attempts stay. */
export async function refundAttempt(tx: Db, keys: readonly AttemptKey[], countedAt: Date): Promise<void> {
  await lock(tx, keys);
  const counted = { key: { in: keys.map(({ key }) => key) }, failures: { gt: 0 } };
  const failures = { decrement: 1 };
  await tx.loginAttempt.updateMany({ where: { ...counted, updatedAt: { not: countedAt } }, data: { failures } });
  await tx.loginAttempt.updateMany({
    where: { ...counted, updatedAt: countedAt },
    data: { failures, blockedUntil: null },
  });
}

/** After a success: refunds the attempt and clears the back-off of this user and network. */
export async function clearBackOff(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  await lock(tx, keys);
  const { cleared = [], refunded = [] } = Object.groupBy(keys, (key) =>
    key.clearedBySuccess ? 'cleared' : 'refunded',
  );
  await tx.loginAttempt.deleteMany({ where: { key: { in: cleared.map(({ key }) => key) } } });
  if (refunded.length === 0) return;
  await tx.loginAttempt.updateMany({
    where: { key: { in: refunded.map(({ key }) => key) }, failures: { gt: 0 } },
    data: { failures: { decrement: 1 }, blockedUntil: null },
  });
}

function throwIfBlockedUntil(now: Date, blockedUntil: readonly (Date | null)[]): void {
  const waitMs = Math.max(...blockedUntil.map((date) => (date?.getTime() ?? 0) - now.getTime()));
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}
