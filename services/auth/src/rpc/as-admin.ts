import { requireAdmin } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { checkTarget } from '../domain/admin-rules.ts';
import { userNotFound } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import type { Db } from '../store/database.ts';
import { findByName, lockRoles } from '../store/users.ts';

/**
 * An admin's change of somebody else's account, one such change at a time. Whether the caller is an admin is looked up
 * again under the lock: of two admins who demote each other at once, the second one is none any more.
 */
export function asAdmin<T>(
  context: AuthContext,
  call: Call,
  action: { readonly username: string; readonly ownRefusal: string },
  work: (tx: Db, target: User) => Promise<T>,
): Promise<T> {
  const caller = requireAdmin(call.caller);
  return context.transaction(async (tx) => {
    await lockRoles(tx);
    const actor = await context.accounts.current(tx, caller.id);
    if (!actor?.admin) throw new DomainError('PERMISSION_DENIED', 'not-admin', 'Admin privileges are required');
    const named = await findByName(tx, action.username);
    if (!named) throw userNotFound();
    checkTarget(actor.id, named.id, action.ownRefusal);
    const target = await context.accounts.current(tx, named.id);
    if (!target) throw userNotFound();
    return work(tx, target);
  });
}
