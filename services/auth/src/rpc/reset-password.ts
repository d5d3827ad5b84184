import type { ResetPasswordRequest__Output } from '@husky/contracts/types/auth/v1/ResetPasswordRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { linkRefusal, linkTokenHash } from '../domain/mail-link.ts';
import { checkPassword } from '../domain/password-rules.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { type LinkUse, lookAtLink, spendAllLinks, spendLink } from '../store/mail-tokens.ts';
import { callerOf } from '../store/users.ts';

function ownerOf(use: LinkUse): string {
  if (typeof use === 'string') throw linkRefusal(use, 'password');
  return use.userId;
}

/** Whoever has the link from the mail. A refused password does not use it up, a bad link costs no hash. */
export async function resetPassword(context: AuthContext, request: ResetPasswordRequest__Output): Promise<User> {
  const tokenHash = linkTokenHash(request.token);
  const owner = ownerOf(await lookAtLink(context.db, tokenHash, 'reset', context.now()));
  checkPassword(request.newPassword);
  const place = { network: owner, name: owner };
  const prepared = await context.turns.known(place, () => context.accounts.prepare(request.newPassword));
  return context.transaction(async (tx) => {
    const now = context.now();
    const userId = ownerOf(await spendLink(tx, tokenHash, 'reset', now));
    const user = await context.accounts.setPassword(tx, userId, prepared);
    // Whoever got in with the old password may have asked for another address.
    await spendAllLinks(tx, user.id, 'change-email', now);
    await announce(tx, user.id, 'SIGNED_OUT');
    await audit(tx, callerOf(user), { action: 'user.password_reset', subjectKind: 'user', subjectId: user.id }, now);
    return presentUser(user, { email: false });
  });
}
