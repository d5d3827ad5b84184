import { sql } from '@husky/runtime/database/sql';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { AuthContext } from '../context.ts';
import { type AttemptKey, passwordKeys } from '../domain/back-off.ts';
import { userNotFound } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import { backOffClearing, countAttempt, refundAttempt } from '../store/login-attempts.ts';
import { findById } from '../store/users.ts';

/**
 * Counts an attempt for the rate limit, then runs it. An attempt that fails with UNAVAILABLE is refunded, since nobody
 * could check the password. The caller clears the back-off after a success.
 */
export async function runRateLimited<T>(
  context: AuthContext,
  keys: readonly AttemptKey[],
  attempt: () => Promise<T>,
): Promise<T> {
  const countedAt = context.now();
  await countAttempt(context.pool, keys, countedAt);
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') {
      await refundAttempt(context.pool, keys, countedAt);
    }
    throw error;
  }
}

/**
 * Returns the caller's account after checking its password, rate limited like sign-ins. A wrong password is
 * INVALID_ARGUMENT, not UNAUTHENTICATED, since the session stays valid.
 */
export async function verifyOwnPassword(context: AuthContext, caller: UserCaller, password: string): Promise<User> {
  const keys = passwordKeys(caller.id);
  const user = await findById(context.db, caller.id);
  if (!user) throw userNotFound();
  const origin = { network: caller.id, name: caller.id };
  const check = () => context.hashQueues.known(origin, () => context.accounts.isPassword(user, password));
  if (!(await runRateLimited(context, keys, check))) {
    throw new DomainError('INVALID_ARGUMENT', 'wrong-password', 'Your current password is wrong');
  }
  await context.pool.query(sql`WITH ${backOffClearing(keys)} SELECT 1`);
  return user;
}
