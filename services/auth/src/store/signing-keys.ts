import type { JWK } from 'jose';
import { generateSigningKey, type SigningKeySource, sessionSeconds } from '../domain/access-tokens.ts';
import type { PrismaClient } from '../generated/client.ts';

const dayMs = 24 * 3_600_000;
const keepMs = 60_000;
const unknownKeyMs = 1000;
// Longer than Prisma's own, since replicas that start together take turns here.
const patient = { maxWait: 10_000, timeout: 20_000 };
/** Beyond the life of a token: clocks differ a little. */
const retireMs = sessionSeconds * 1000 + 3_600_000;

/**
 * Makes the first key, and another one when the newest is older than `days` (0: never); drops those whose successor has
 * signed for longer than a token lives. One service at a time.
 */
export async function renewSigningKeys(db: PrismaClient, days: number, now: Date, times = patient): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('husky.auth.signing-keys'))`;
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

/** The stored keys, newest first, at most a minute old; a token of an unknown key looks again, at most once a second. */
export function storedSigningKeys(db: PrismaClient, now: () => Date): SigningKeySource {
  let kept: { readonly keys: readonly JWK[]; readonly kids: string; readonly readAtMs: number } | undefined;
  return async (why) => {
    const ageMs = kept ? Math.abs(now().getTime() - kept.readAtMs) : 0;
    if (kept && ageMs < (why === 'use' ? keepMs : unknownKeyMs)) return kept.keys;
    const rows = await db.signingKey.findMany({ orderBy: { createdAt: 'desc' } });
    const kids = rows.map(({ kid }) => kid).join();
    const keys = kept?.kids === kids ? kept.keys : rows.map((row) => row.jwk as JWK);
    kept = { keys, kids, readAtMs: now().getTime() };
    return keys;
  };
}
