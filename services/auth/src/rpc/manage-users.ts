import { userChanged } from '@husky/contracts/events';
import type { DeleteUserResponse } from '@husky/contracts/types/auth/v1/DeleteUserResponse';
import type { ToggleUserRequest__Output } from '@husky/contracts/types/auth/v1/ToggleUserRequest';
import type { User as UserMessage } from '@husky/contracts/types/auth/v1/User';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import { type AdminOfOthersCall, requireStillAdmin } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { userNotFound } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import { presentUser } from '../present.ts';
import type { Db } from '../store/database.ts';
import { revokeLinks } from '../store/mail-links.ts';
import { findByName, lockRoles } from '../store/users.ts';

/** Toggles another user's admin role. ABORTED `already-so` when the role is already as requested. */
export function toggleAdmin(context: AuthContext): AuthHandlers['toggleAdmin'] {
  return (request, call): Promise<UserMessage> =>
    toggle(context, call, request, {
      property: 'admin',
      phrase: 'an admin',
      ownRefusal: 'You cannot change your own admin status',
      event: 'ROLE',
      action: 'user.role_changed',
      set: (tx, target, admin) => context.accounts.setAdmin(tx, target, admin),
    });
}

/** Toggles another user's verification and revokes their links, so that an old one cannot undo the admin's decision. */
export function toggleVerified(context: AuthContext): AuthHandlers['toggleVerified'] {
  return (request, call): Promise<UserMessage> =>
    toggle(context, call, request, {
      property: 'verified',
      phrase: 'verified',
      ownRefusal: 'You cannot change your own verification status',
      event: 'VERIFIED',
      action: 'user.verification_changed',
      set: async (tx, target, verified) => {
        const user = await context.accounts.setVerified(tx, target, verified);
        await revokeLinks(tx, user.id, ['verify', 'change-email'], context.now());
        return user;
      },
    });
}

/** Deletes another user's account. */
export function deleteUser(context: AuthContext): AuthHandlers['deleteUser'] {
  return (request, call): Promise<DeleteUserResponse> => {
    const ownRefusal = 'You cannot delete your own account as an admin';
    return changeAsAdmin(context, call, request.username, ownRefusal, async (tx, target) => {
      await context.accounts.remove(tx, target);
      const before = { admin: target.admin, verified: target.verified };
      const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: target.id, before };
      await audit(tx, call.caller, entry, context.now());
      return { userId: target.id };
    });
  };
}

/**
 * Runs an admin's change of another account, one such change at a time. The caller's role is read again under the lock:
 * when two admins demote each other concurrently, the second is refused.
 */
function changeAsAdmin<T>(
  context: AuthContext,
  call: AdminOfOthersCall,
  username: string,
  ownRefusal: string,
  change: (tx: Db, target: User) => Promise<T>,
): Promise<T> {
  return context.transaction(async (tx) => {
    await lockRoles(tx);
    requireStillAdmin(call.caller, await context.accounts.currentUser(tx, call.caller.id));
    const row = await findByName(tx, username);
    if (!row) throw userNotFound();
    call.check(row.id, ownRefusal);
    const target = await context.accounts.currentUser(tx, row.id);
    if (!target) throw userNotFound();
    return change(tx, target);
  });
}

interface Toggle {
  readonly property: 'admin' | 'verified';
  readonly phrase: string;
  readonly ownRefusal: string;
  readonly event: 'ROLE' | 'VERIFIED';
  readonly action: string;
  readonly set: (tx: Db, target: User, value: boolean) => Promise<User>;
}

/** Inverts a property of a user. ABORTED when it is already as requested: two admins who toggle concurrently want the same state. */
function toggle(
  context: AuthContext,
  call: AdminOfOthersCall,
  request: ToggleUserRequest__Output,
  { property, phrase, ownRefusal, event, action, set }: Toggle,
): Promise<UserMessage> {
  return changeAsAdmin(context, call, request.username, ownRefusal, async (tx, target) => {
    const before = target[property];
    if (request.value === before) {
      const state = before ? `is ${phrase} already` : `is not ${phrase} any more`;
      throw new DomainError('ABORTED', 'already-so', `${target.username} ${state}`);
    }
    const user = await set(tx, target, !before);
    await emit(tx, userChanged, { userId: user.id, change: event });
    const change = { before: { [property]: before }, after: { [property]: user[property] } };
    await audit(tx, call.caller, { action, subjectKind: 'user', subjectId: user.id, ...change }, context.now());
    return presentUser(user, { email: true });
  });
}
