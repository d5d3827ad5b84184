import type { DeleteUserResponse } from '@husky/contracts/types/auth/v1/DeleteUserResponse';
import type { UserNameRequest__Output } from '@husky/contracts/types/auth/v1/UserNameRequest';
import type { AdminOfOthersCall } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { asAdmin } from './as-admin.ts';

/** Admins, not on themselves. */
export function deleteUser(
  context: AuthContext,
  request: UserNameRequest__Output,
  call: AdminOfOthersCall,
): Promise<DeleteUserResponse> {
  const ownRefusal = 'You cannot delete your own account as an admin';
  return asAdmin(context, call, { username: request.username, ownRefusal }, async (tx, target) => {
    await context.accounts.remove(tx, target);
    const before = { admin: target.admin, verified: target.verified };
    const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: target.id, before };
    await audit(tx, call.caller, entry, context.now());
    return { userId: target.id };
  });
}
