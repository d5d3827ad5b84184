import type pg from 'pg';
import { type AttemptKey, blockMs, forgetMs, tooManyAttempts } from '../domain/back-off.ts';
import type { Db } from './database.ts';

// Tries and successes that share a name or an address follow each other, in an order in which none waits in a circle.
async function lock(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  const numbers = keys.map(({ key }) => Buffer.from(key).readBigInt64BE()).sort((a, b) => (a < b ? -1 : 1));
  for (const number of numbers) await tx.$queryRaw`SELECT pg_advisory_xact_lock(${number})::text`;
}

/** Refuses as countAttempt would, by one read that waits for no lock. */
export async function refuseBlocked(pool: pg.Pool, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const { rows } = await pool.query<{ until: Date | null }>({
    name: 'blocked-until',
    text: 'SELECT max(blocked_until) AS until FROM login_attempts WHERE key = ANY($1)',
    values: [keys.map(({ key }) => Buffer.from(key))],
  });
  const until = rows[0]?.until ?? null;
  if (isAfter(until, now)) throw refusal([until], now);
}

/**
 * Counts a try as failed before it is made, so that many at once cannot slip through; forgive() takes it back.
 * RESOURCE_EXHAUSTED while any of the keys is blocked; such a try is not counted.
 */
export async function countAttempt(tx: Db, keys: readonly AttemptKey[], now: Date): Promise<void> {
  await lock(tx, keys);
  const rows = await tx.loginAttempt.findMany({ where: { key: { in: keys.map(({ key }) => key) } } });
  if (rows.some((row) => isAfter(row.blockedUntil, now))) {
    throw refusal(
      rows.map((row) => row.blockedUntil),
      now,
    );
  }
  for (const { key, policy } of keys) {
    const row = rows.find((candidate) => Buffer.compare(candidate.key, key) === 0);
    const fresh = !row || now.getTime() - row.updatedAt.getTime() > forgetMs;
    const failures = fresh ? 1 : row.failures + 1;
    const wait = blockMs(failures, policy);
    const counted = { failures, blockedUntil: wait === 0 ? null : new Date(now.getTime() + wait), updatedAt: now };
    await tx.loginAttempt.upsert({ where: { key }, update: counted, create: { key, ...counted } });
  }
}

/** Takes back a try counted at `countedAt` that could not be made. A block that others have earned since stays. */
export async function takeBack(tx: Db, keys: readonly AttemptKey[], countedAt: Date): Promise<void> {
  await lock(tx, keys);
  const counted = { key: { in: keys.map(({ key }) => key) }, failures: { gt: 0 } };
  const failures = { decrement: 1 };
  await tx.loginAttempt.updateMany({ where: { ...counted, updatedAt: { not: countedAt } }, data: { failures } });
  await tx.loginAttempt.updateMany({
    where: { ...counted, updatedAt: countedAt },
    data: { failures, blockedUntil: null },
  });
}

/** What a success changes: its own try is taken back, and what its owner proved to be theirs is forgotten. */
export async function forgive(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  await lock(tx, keys);
  const ofKind = (forgiven: boolean) => keys.filter((key) => key.forgiven === forgiven).map(({ key }) => key);
  await tx.loginAttempt.deleteMany({ where: { key: { in: ofKind(true) } } });
  await tx.loginAttempt.updateMany({
    where: { key: { in: ofKind(false) }, failures: { gt: 0 } },
    data: { failures: { decrement: 1 }, blockedUntil: null },
  });
}

function isAfter(date: Date | null, now: Date): boolean {
  return date !== null && date > now;
}

function refusal(dates: readonly (Date | null)[], now: Date) {
  return tooManyAttempts(Math.max(...dates.map((date) => (date?.getTime() ?? 0) - now.getTime())));
}
