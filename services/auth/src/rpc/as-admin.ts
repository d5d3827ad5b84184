import { type AdminOfOthersCall, stillAdmin } from '../access.ts';
import type { AuthContext } from '../context.ts';
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
  call: AdminOfOthersCall,
  action: { readonly username: string; readonly ownRefusal: string },
  work: (tx: Db, target: User) => Promise<T>,
): Promise<T> {
  return context.transaction(async (tx) => {
    await lockRoles(tx);
    stillAdmin(call.caller, await context.accounts.current(tx, call.caller.id));
    const named = await findByName(tx, action.username);
    if (!named) throw userNotFound();
    call.check(named.id, action.ownRefusal);
    const target = await context.accounts.current(tx, named.id);
    if (!target) throw userNotFound();
    return work(tx, target);
  });
}
