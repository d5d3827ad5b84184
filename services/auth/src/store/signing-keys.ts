import { sql } from '@husky/runtime/database/sql';
import type { JWK } from 'jose';
import { generateSigningKey, type SigningKeySource, sessionSeconds } from '../domain/access-tokens.ts';
import type { PrismaClient } from '../generated/client.ts';

const dayMs = 24 * 3_600_000;
const cacheMs = 60_000;
const minReadIntervalMs = 1000;
// Longer than Prisma's defaults, since replicas that start together wait for the lock.
const transactionTimes = { maxWait: 10_000, timeout: 20_000 };
/** A token's lifetime and one hour of clock skew. */
const retireMs = sessionSeconds * 1000 + 3_600_000;

/**
 * Creates the first key, and another one when the newest is older than `days` (0: never). Deletes keys whose tokens have all
 * expired. Idempotent; one replica at a time, under an advisory lock.
 */
export async function rotateSigningKeys(
  db: PrismaClient,
  days: number,
  now: Date,
  times = transactionTimes,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw(sql`SELECT pg_advisory_xact_lock(hashtext('husky.auth.signing-keys'))`);
    const rows = await tx.signingKey.findMany({ orderBy: { createdAt: 'desc' } });
    const ageMs = rows[0] ? now.getTime() - rows[0].createdAt.getTime() : Number.POSITIVE_INFINITY;
    if (!rows[0] || (days > 0 && ageMs > days * dayMs)) {
      const jwk = await generateSigningKey();
      await tx.signingKey.create({ data: { kid: jwk.kid ?? '', jwk: { ...jwk }, createdAt: now } });
    }
    const retired = rows.filter((_row, index) => {
      const successor = rows[index - 1];
      return successor !== undefined && now.getTime() - successor.createdAt.getTime() > retireMs;
    });
    await tx.signingKey.deleteMany({ where: { kid: { in: retired.map(({ kid }) => kid) } } });
  }, times);
}

/** Returns the stored keys, newest first, cached for a minute; for an unknown key id they are read again, at most once a second. */
export function storedSigningKeys(db: PrismaClient, now: () => Date): SigningKeySource {
  let cached: { readonly keys: readonly JWK[]; readonly kids: string; readonly readAtMs: number } | undefined;
  return async (reason) => {
    const ageMs = cached ? Math.abs(now().getTime() - cached.readAtMs) : 0;
    if (cached && ageMs < (reason === 'use' ? cacheMs : minReadIntervalMs)) return cached.keys;
    const rows = await db.signingKey.findMany({ orderBy: { createdAt: 'desc' } });
    const kids = rows.map(({ kid }) => kid).join();
    const keys = cached?.kids === kids ? cached.keys : rows.map((row) => row.jwk as JWK);
    cached = { keys, kids, readAtMs: now().getTime() };
    return keys;
  };
}
