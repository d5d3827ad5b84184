import type { User } from '@husky/contracts/types/auth/v1/User';
import type { VerifyEmailRequest__Output } from '@husky/contracts/types/auth/v1/VerifyEmailRequest';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { linkRefusal, linkTokenHash } from '../domain/mail-link.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { spendLink } from '../store/mail-tokens.ts';
import { callerOf, findById } from '../store/users.ts';

/** Whoever has the link from the mail. */
export function verifyEmail(context: AuthContext, request: VerifyEmailRequest__Output): Promise<User> {
  return context.transaction(async (tx) => {
    const use = await spendLink(tx, linkTokenHash(request.token), 'verify', context.now());
    if (typeof use === 'string') throw linkRefusal(use, 'verification');
    const owner = await findById(tx, use.userId);
    if (!owner) throw linkRefusal('unknown', 'verification');
    const user = await context.accounts.setVerified(tx, owner, true);
    await announce(tx, user.id, 'VERIFIED');
    const entry = { action: 'user.verified', subjectKind: 'user', subjectId: user.id };
    await audit(tx, callerOf(user), { ...entry, after: { verified: true } }, context.now());
    return presentUser(user, { email: false });
  });
}
