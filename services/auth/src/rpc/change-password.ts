import type { ChangePasswordRequest__Output } from '@husky/contracts/types/auth/v1/ChangePasswordRequest';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import type { UserCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { checkPassword } from '../domain/password-rules.ts';
import { presentSession } from '../present.ts';
import { announce } from '../store/events.ts';
import { spendAllLinks } from '../store/mail-tokens.ts';
import { proveOwnPassword } from './own-password.ts';

/** A signed-in user who gives the current password. */
export async function changePassword(
  context: AuthContext,
  request: ChangePasswordRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<Session> {
  checkPassword(request.newPassword);
  await proveOwnPassword(context, caller, request.currentPassword);
  const place = { network: caller.id, name: caller.id };
  const prepared = await context.turns.known(place, () => context.accounts.prepare(request.newPassword));
  const now = context.now();
  const { session, user } = await context.transaction(async (tx) => {
    const user = await context.accounts.setPassword(tx, caller.id, prepared);
    await spendAllLinks(tx, user.id, 'reset', now);
    await spendAllLinks(tx, user.id, 'change-email', now);
    await announce(tx, user.id, 'SIGNED_OUT');
    const { address } = request;
    const entry = { action: 'user.password_changed', subjectKind: 'user', subjectId: user.id, address };
    await audit(tx, caller, entry, now);
    return { user, session: await context.accounts.open(tx, user, request.newPassword, address) };
  });
  return presentSession(session, user);
}
