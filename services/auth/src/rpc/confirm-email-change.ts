import type { ConfirmEmailChangeRequest__Output } from '@husky/contracts/types/auth/v1/ConfirmEmailChangeRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { emailTaken } from '../domain/email.ts';
import { linkRefusal, linkTokenHash } from '../domain/mail-link.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { spendAllLinks, spendLink } from '../store/mail-tokens.ts';
import { callerOf, findByEmail } from '../store/users.ts';

/**
 * Whoever has the link from the mail, which proves that the new address is theirs. Links sent to the old address are
 * void from then on; sessions stay. An address that was registered meanwhile leaves the link as it was.
 */
export function confirmEmailChange(context: AuthContext, request: ConfirmEmailChangeRequest__Output): Promise<User> {
  return context.transaction(async (tx) => {
    const now = context.now();
    const use = await spendLink(tx, linkTokenHash(request.token), 'change-email', now);
    if (typeof use === 'string') throw linkRefusal(use, 'address');
    if (use.newEmail === null) throw linkRefusal('unknown', 'address');
    if (await findByEmail(tx, use.newEmail)) throw emailTaken();
    const user = await context.accounts.setEmail(tx, use.userId, use.newEmail);
    await spendAllLinks(tx, user.id, 'verify', now);
    await spendAllLinks(tx, user.id, 'reset', now);
    await announce(tx, user.id, 'VERIFIED');
    const { address } = request;
    const entry = { action: 'user.email_changed', subjectKind: 'user', subjectId: user.id, address };
    await audit(tx, callerOf(user), entry, now);
    return presentUser(user, { email: false });
  });
}
