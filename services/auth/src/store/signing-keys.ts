import type { JWK } from 'jose';
import type { PrismaClient } from '../generated/client.ts';

/** The stored keys, newest first; the first service that starts makes the first one. */
export function loadSigningKeys(db: PrismaClient, generate: () => Promise<JWK>, now: Date): Promise<JWK[]> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('husky.auth.signing-keys'))`;
    const rows = await tx.signingKey.findMany({ orderBy: { createdAt: 'desc' } });
    if (rows.length > 0) return rows.map((row) => row.jwk as JWK);
    const jwk = await generate();
    await tx.signingKey.create({ data: { kid: jwk.kid ?? '', jwk: { ...jwk }, createdAt: now } });
    return [jwk];
  });
}
