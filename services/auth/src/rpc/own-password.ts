import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { attemptKeys } from '../domain/back-off.ts';
import { userNotFound } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import { forgive } from '../store/attempts.ts';
import { findById } from '../store/users.ts';
import { countedTry } from './counted-try.ts';

/**
 * The caller's account once they have given its password again, with the same back-off as a sign-in. A wrong one is
 * INVALID_ARGUMENT, not UNAUTHENTICATED: the session stays good.
 */
export async function proveOwnPassword(context: AuthContext, caller: UserCaller, password: string): Promise<User> {
  const keys = attemptKeys('password', caller.id, '');
  const user = await findById(context.db, caller.id);
  if (!user) throw userNotFound();
  const place = { network: caller.id, name: caller.id };
  const check = () => context.turns.known(place, () => context.accounts.isPassword(user, password));
  if (!(await countedTry(context, keys, check))) {
    throw new DomainError('INVALID_ARGUMENT', 'wrong-password', 'Your current password is not right');
  }
  await context.transaction((tx) => forgive(tx, keys));
  return user;
}
