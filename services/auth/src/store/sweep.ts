import type { PrismaClient } from '../generated/client.ts';
import { forgetOldPlaces } from './known-places.ts';

const dayMs = 24 * 3_600_000;

/** Removes what has ended long ago. */
export async function sweep(db: PrismaClient, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await db.session.deleteMany({ where: { expiresAt: { lt: ago(1) } } });
  await db.mailToken.deleteMany({ where: { expiresAt: { lt: ago(30) } } });
  await db.loginAttempt.deleteMany({ where: { updatedAt: { lt: ago(1) } } });
  await forgetOldPlaces(db, now);
}
