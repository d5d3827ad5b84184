import type { PrismaClient } from '../generated/client.ts';

const dayMs = 24 * 3_600_000;
const knownNetworkDays = 90;

/** Deletes expired sessions, links, attempt counters and known networks. */
export async function deleteExpired(db: PrismaClient, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  await db.session.deleteMany({ where: { expiresAt: { lt: daysAgo(1) } } });
  await db.mailToken.deleteMany({ where: { expiresAt: { lt: daysAgo(30) } } });
  await db.loginAttempt.deleteMany({ where: { updatedAt: { lt: daysAgo(1) } } });
  await db.knownPlace.deleteMany({ where: { seenAt: { lt: daysAgo(knownNetworkDays) } } });
}
