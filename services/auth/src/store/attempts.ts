import { type AttemptKey, blockMs, forgetMs, tooManyAttempts } from '../domain/back-off.ts';
import { Prisma } from '../generated/client.ts';
import type { Db } from './database.ts';

interface AttemptRow {
  readonly key: Uint8Array;
  readonly failures: number;
  readonly blocked_until: Date | null;
  readonly updated_at: Date;
}

/**
 * Counts a try as failed before it is made, so that many at once cannot slip through; forgive() takes it back.
 * RESOURCE_EXHAUSTED while any of the keys is blocked; such a try is not counted.
 */
export async function countAttempt(tx: Db, keys: readonly AttemptKey[], now: Date): Promise<void> {
  const sorted = [...keys].sort((a, b) => Buffer.compare(a.key, b.key));
  const hashes = sorted.map(({ key }) => key);
  const blocked = await tx.loginAttempt.findMany({ where: { key: { in: hashes }, blockedUntil: { gt: now } } });
  if (blocked.length > 0)
    throw refusal(
      blocked.map((row) => row.blockedUntil),
      now,
    );
  await tx.loginAttempt.createMany({
    data: hashes.map((key) => ({ key, failures: 0, updatedAt: now })),
    skipDuplicates: true,
  });
  const rows = await tx.$queryRaw<AttemptRow[]>`
    SELECT key, failures, blocked_until, updated_at FROM login_attempts
    WHERE key IN (${Prisma.join(hashes)}) ORDER BY key FOR UPDATE`;
  if (rows.some((row) => isAfter(row.blocked_until, now))) {
    throw refusal(
      rows.map((row) => row.blocked_until),
      now,
    );
  }
  for (const { key, policy } of sorted) {
    const row = rows.find((candidate) => Buffer.compare(candidate.key, key) === 0);
    const fresh = !row || now.getTime() - row.updated_at.getTime() > forgetMs;
    const failures = fresh ? 1 : row.failures + 1;
    const wait = blockMs(failures, policy);
    const blockedUntil = wait === 0 ? null : new Date(now.getTime() + wait);
    const counted = { failures, blockedUntil, updatedAt: now };
    // A success beside this try may just have removed the row.
    await tx.loginAttempt.upsert({ where: { key }, update: counted, create: { key, ...counted } });
  }
}

/** What a success changes: its own try is taken back, and what its owner proved to be theirs is forgotten. */
export async function forgive(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
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
