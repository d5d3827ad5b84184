import { userChanged } from '@husky/contracts/events';
import { byField } from '@husky/contracts/profile-fields';
import { emit } from '@husky/runtime/messages/outbox';
import { tombstoneName } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import type { Db } from './database.ts';

type Nullable = { [Field in keyof User]: null extends User[Field] ? Field : never }[keyof User];

/** Every column that may be null. The type names one that is missing here. */
const cleared: Record<Exclude<Nullable, 'deletedAt'>, null> = {
  email: null,
  emailKey: null,
  passwordHash: null,
  ...byField(() => null),
  verificationSentAt: null,
  resetSentAt: null,
  emailChangeSentAt: null,
};

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
      ...cleared,
      admin: false,
      verified: false,
      deletedAt: now,
    },
  });
  await emit(tx, userChanged, { userId: user.id, change: 'DELETED' });
}
