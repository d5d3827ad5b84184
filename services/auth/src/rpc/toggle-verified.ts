import type { ToggleUserRequest__Output } from '@husky/contracts/types/auth/v1/ToggleUserRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { AdminOfOthersCall } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { refuseWhenSo } from '../domain/admin-rules.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { spendAllLinks } from '../store/mail-tokens.ts';
import { asAdmin } from './as-admin.ts';

/** Admins, not on themselves. Links sent before are void: an old one must not undo an admin's decision. */
export function toggleVerified(
  context: AuthContext,
  request: ToggleUserRequest__Output,
  call: AdminOfOthersCall,
): Promise<User> {
  const ownRefusal = 'You cannot change your own verification status';
  return asAdmin(context, call, { username: request.username, ownRefusal }, async (tx, target) => {
    refuseWhenSo(
      target.verified,
      request.wanted,
      `${target.username} ${target.verified ? 'is verified already' : 'is not verified any more'}`,
    );
    const user = await context.accounts.setVerified(tx, target, !target.verified);
    await spendAllLinks(tx, user.id, 'verify', context.now());
    await spendAllLinks(tx, user.id, 'change-email', context.now());
    await announce(tx, user.id, 'VERIFIED');
    const change = { before: { verified: target.verified }, after: { verified: user.verified } };
    const entry = { action: 'user.verification_changed', subjectKind: 'user', subjectId: user.id, ...change };
    await audit(tx, call.caller, entry, context.now());
    return presentUser(user, { email: true });
  });
}
