import type { LinkToken } from '../domain/mail-link.ts';
import type { Db } from './database.ts';

export type Purpose = 'verify' | 'reset' | 'change-email';

export async function storeLink(
  db: Db,
  link: {
    readonly userId: string;
    readonly purpose: Purpose;
    readonly token: LinkToken;
    readonly hours: number;
    readonly newEmail?: string;
  },
  now: Date,
): Promise<void> {
  const { userId, purpose, token, hours, newEmail = null } = link;
  const expiresAt = new Date(now.getTime() + hours * 3_600_000);
  const { tokenHash } = token;
  await db.mailToken.create({ data: { userId, purpose, newEmail, tokenHash, createdAt: now, expiresAt } });
}

/** Whose link it was; `newEmail` for a change of address. */
export type LinkUse = { readonly userId: string; readonly newEmail: string | null } | 'unknown' | 'used' | 'expired';

/** Uses a link up, for one caller only however many come at once, and with it the user's other links of its kind. */
export async function spendLink(
  tx: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  purpose: Purpose,
  now: Date,
): Promise<LinkUse> {
  const { count } = await tx.mailToken.updateMany({
    where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now }, user: { deletedAt: null } },
    data: { usedAt: now },
  });
  const link = await tx.mailToken.findUnique({ where: { tokenHash }, include: { user: true } });
  if (link?.purpose !== purpose || link.user.deletedAt) return 'unknown';
  if (count === 0) return link.usedAt ? 'used' : 'expired';
  await spendAllLinks(tx, link.userId, purpose, now);
  return { userId: link.userId, newEmail: link.newEmail };
}

/** What spendLink would answer, without using the link up. */
export async function lookAtLink(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  purpose: Purpose,
  now: Date,
): Promise<LinkUse> {
  const link = await db.mailToken.findUnique({ where: { tokenHash }, include: { user: true } });
  if (link?.purpose !== purpose || link.user.deletedAt) return 'unknown';
  if (link.usedAt) return 'used';
  return link.expiresAt > now ? { userId: link.userId, newEmail: link.newEmail } : 'expired';
}

export async function spendAllLinks(tx: Db, userId: string, purpose: Purpose, now: Date): Promise<void> {
  await tx.mailToken.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: now } });
}
