import type { DeleteOwnAccountRequest__Output } from '@husky/contracts/types/auth/v1/DeleteOwnAccountRequest';
import type { DeleteUserResponse } from '@husky/contracts/types/auth/v1/DeleteUserResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { userNotFound } from '../domain/username.ts';
import { countOtherAdmins, lockRoles } from '../store/users.ts';
import { proveOwnPassword } from './own-password.ts';

/** A signed-in user who gives the password; the last admin stays. */
export async function deleteOwnAccount(
  context: AuthContext,
  request: DeleteOwnAccountRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<DeleteUserResponse> {
  await proveOwnPassword(context, caller, request.password);
  return context.transaction(async (tx) => {
    await lockRoles(tx);
    const user = await context.accounts.current(tx, caller.id);
    if (!user) throw userNotFound();
    if (user.admin && (await countOtherAdmins(tx, user.id)) === 0) {
      const message = 'You are the last admin: make somebody else an admin first';
      throw new DomainError('FAILED_PRECONDITION', 'last-admin', message);
    }
    await context.accounts.remove(tx, user);
    const before = { admin: user.admin, verified: user.verified };
    const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: user.id, before };
    await audit(tx, caller, entry, context.now());
    return { userId: user.id };
  });
}
