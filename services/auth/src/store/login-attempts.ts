import { prepared, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import { type AttemptKey, attemptTtlMs, blockMs, tooManyAttempts } from '../domain/back-off.ts';
import type { Db } from './database.ts';

// Attempts that share a counter are serialised. Locks are taken in ascending order, so that they cannot deadlock.
async function lock(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  const numbers = keys.map(({ key }) => Buffer.from(key).readBigInt64BE()).sort((a, b) => (a < b ? -1 : 1));
  for (const number of numbers) await tx.$queryRaw(sql`SELECT pg_advisory_xact_lock(${number})::text`);
}

/** Throws RESOURCE_EXHAUSTED while any counter is blocked. One read without locks: floods of sign-ins run only this. */
export async function throwIfBlocked(pool: pg.Pool, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const hashes = keys.map(({ key }) => Buffer.from(key));
  const statement = sql`SELECT max(blocked_until) AS until FROM login_attempts WHERE key = ANY(${hashes})`;
  const { rows } = await pool.query<{ until: Date | null }>(prepared('blocked-until', statement));
  throwIfBlockedUntil(now, [rows[0]?.until ?? null]);
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
  for (const { key, policy } of keys) {
    const row = rows.find((candidate) => Buffer.compare(candidate.key, key) === 0);
    const expired = !row || now.getTime() - row.updatedAt.getTime() > attemptTtlMs;
    const failures = expired ? 1 : row.failures + 1;
    const wait = blockMs(failures, policy);
    const counted = { failures, blockedUntil: wait === 0 ? null : new Date(now.getTime() + wait), updatedAt: now };
    await tx.loginAttempt.upsert({ where: { key }, update: counted, create: { key, ...counted } });
  }
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
  const hashesOf = (cleared: boolean) =>
    keys.filter(({ clearedBySuccess }) => clearedBySuccess === cleared).map(({ key }) => key);
  await tx.loginAttempt.deleteMany({ where: { key: { in: hashesOf(true) } } });
  await tx.loginAttempt.updateMany({
    where: { key: { in: hashesOf(false) }, failures: { gt: 0 } },
    data: { failures: { decrement: 1 }, blockedUntil: null },
  });
}

function throwIfBlockedUntil(now: Date, blockedUntil: readonly (Date | null)[]): void {
  const waitMs = Math.max(...blockedUntil.map((date) => (date?.getTime() ?? 0) - now.getTime()));
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}
