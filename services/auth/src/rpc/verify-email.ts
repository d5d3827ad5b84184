import type { User } from '@husky/contracts/types/auth/v1/User';
import type { VerifyEmailRequest__Output } from '@husky/contracts/types/auth/v1/VerifyEmailRequest';
import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { linkTokenHash } from '../domain/mail-link.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { type LinkUse, spendLink } from '../store/mail-tokens.ts';
import { updateUser } from '../store/users.ts';

const refusals = {
  unknown: () => new DomainError('NOT_FOUND', 'link-unknown', 'This verification link is not valid'),
  used: () => new DomainError('FAILED_PRECONDITION', 'link-used', 'This verification link has already been used'),
  expired: () =>
    new DomainError(
      'FAILED_PRECONDITION',
      'link-expired',
      'This verification link has expired. Please ask for a new one',
    ),
} satisfies Record<Extract<LinkUse, string>, () => DomainError>;

/** Whoever has the link from the mail. */
export function verifyEmail(context: AuthContext, request: VerifyEmailRequest__Output): Promise<User> {
  return context.transaction(async (tx) => {
    const use = await spendLink(tx, linkTokenHash(request.token), 'verify', context.now());
    if (typeof use === 'string') throw refusals[use]();
    const user = await updateUser(tx, use.userId, { verified: true });
    await announce(tx, user.id, 'VERIFIED');
    return presentUser(user, { email: false });
  });
}
