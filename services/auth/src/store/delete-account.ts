import { userChanged } from '@husky/contracts/events';
import { emit } from '@husky/runtime/outbox';
import { tombstoneName } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import type { Db } from './database.ts';

/**
 * Replaces an account by a tombstone: the id stays for references in other services, the name becomes `deleted-…`, and all
 * personal data, sessions, access tokens and links are deleted. The old name stays claimed.
 */
export async function deleteAccount(tx: Db, user: User, now: Date): Promise<void> {
  const short = tombstoneName(user.id);
  const clash = await tx.user.findUnique({ where: { usernameKey: short }, select: { id: true } });
  const username = clash ? tombstoneName(user.id, 'long') : short;
  await tx.session.deleteMany({ where: { userId: user.id } });
  await tx.apiToken.deleteMany({ where: { userId: user.id } });
  await tx.mailToken.deleteMany({ where: { userId: user.id } });
  await tx.user.update({
    where: { id: user.id },
    data: {
      username,
      usernameKey: username,
      email: null,
      emailKey: null,
      passwordHash: null,
      name: null,
      github: null,
      discordUsername: null,
      about: null,
      admin: false,
      verified: false,
      verificationSentAt: null,
      resetSentAt: null,
      emailChangeSentAt: null,
      deletedAt: now,
    },
  });
  await emit(tx, userChanged, { userId: user.id, change: 'DELETED' });
}
