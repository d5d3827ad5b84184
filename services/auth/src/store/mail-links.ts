import type { LinkToken } from '../domain/email.ts';
import type { Db } from './database.ts';

export type Purpose = 'verify' | 'reset' | 'change-email';

export async function createLink(
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

/** The link's user, with `newEmail` for a change of address; or why the link cannot be used. */
export type LinkResult = { readonly userId: string; readonly newEmail: string | null } | 'unknown' | 'used' | 'expired';

/** Uses a link and revokes the user's other links of its purpose. Of concurrent calls exactly one succeeds. */
export async function useLink(
  tx: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  purpose: Purpose,
  now: Date,
): Promise<LinkResult> {
  const { count } = await tx.mailToken.updateMany({
    where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now }, user: { deletedAt: null } },
    data: { usedAt: now },
  });
  const link = await tx.mailToken.findUnique({ where: { tokenHash }, include: { user: true } });
  if (link?.purpose !== purpose || link.user.deletedAt) return 'unknown';
  if (count === 0) return link.usedAt ? 'used' : 'expired';
  await revokeLinks(tx, link.userId, [purpose], now);
  return { userId: link.userId, newEmail: link.newEmail };
}

/** Returns what useLink would, without using the link. */
export async function checkLink(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  purpose: Purpose,
  now: Date,
): Promise<LinkResult> {
  const link = await db.mailToken.findUnique({ where: { tokenHash }, include: { user: true } });
  if (link?.purpose !== purpose || link.user.deletedAt) return 'unknown';
  if (link.usedAt) return 'used';
  return link.expiresAt > now ? { userId: link.userId, newEmail: link.newEmail } : 'expired';
}

/** Invalidates a user's unused links of the given purposes. */
export async function revokeLinks(tx: Db, userId: string, purposes: Purpose[], now: Date): Promise<void> {
  await tx.mailToken.updateMany({ where: { userId, purpose: { in: purposes }, usedAt: null }, data: { usedAt: now } });
}
