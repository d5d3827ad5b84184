import type { PrismaClient } from '../generated/client.ts';

const dayMs = 24 * 3_600_000;
const knownNetworkDays = 90;
// While the row exists, a program with the token learns that it has expired or was revoked.
const apiTokenDays = 90;

/** Deletes expired sessions, access tokens, links, attempt counters and known networks. */
export async function deleteExpired(db: PrismaClient, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  await db.session.deleteMany({ where: { expiresAt: { lt: daysAgo(1) } } });
  await db.apiToken.deleteMany({ where: { expiresAt: { lt: daysAgo(apiTokenDays) } } });
  await db.apiToken.deleteMany({ where: { revokedAt: { lt: daysAgo(apiTokenDays) } } });
  await db.mailToken.deleteMany({ where: { expiresAt: { lt: daysAgo(30) } } });
  await db.loginAttempt.deleteMany({ where: { updatedAt: { lt: daysAgo(1) } } });
  await db.knownPlace.deleteMany({ where: { seenAt: { lt: daysAgo(knownNetworkDays) } } });
}
