import type { ToggleUserRequest__Output } from '@husky/contracts/types/auth/v1/ToggleUserRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { AdminOfOthersCall } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { refuseWhenSo } from '../domain/admin-rules.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { asAdmin } from './as-admin.ts';

/** Admins, not on themselves. */
export function toggleAdmin(
  context: AuthContext,
  request: ToggleUserRequest__Output,
  call: AdminOfOthersCall,
): Promise<User> {
  const ownRefusal = 'You cannot change your own admin status';
  return asAdmin(context, call, { username: request.username, ownRefusal }, async (tx, target) => {
    refuseWhenSo(
      target.admin,
      request.wanted,
      `${target.username} ${target.admin ? 'is an admin already' : 'is no admin any more'}`,
    );
    const user = await context.accounts.setAdmin(tx, target, !target.admin);
    await announce(tx, user.id, 'ROLE');
    const change = { before: { admin: target.admin }, after: { admin: user.admin } };
    const entry = { action: 'user.role_changed', subjectKind: 'user', subjectId: user.id, ...change };
    await audit(tx, call.caller, entry, context.now());
    return presentUser(user, { email: true });
  });
}
