import type { ChangeEmailRequest__Output } from '@husky/contracts/types/auth/v1/ChangeEmailRequest';
import type { ChangeEmailResponse } from '@husky/contracts/types/auth/v1/ChangeEmailResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { emailChangeHours, mailTooSoon, newLinkToken, resendMs } from '../domain/mail-link.ts';
import type { User } from '../generated/client.ts';
import { sendAddressInUse, sendEmailChange, sendEmailChangeNotice } from '../mail/account-mails.ts';
import { spendAllLinks, storeLink } from '../store/mail-tokens.ts';
import { claimMail, findByEmail, findById } from '../store/users.ts';
import { proveOwnPassword } from './own-password.ts';

/**
 * A signed-in user who gives the current password, once a minute. Whether the new address is somebody's is looked up
 * after the answer, and a mail goes to both addresses either way: neither text nor time nor mails tell.
 */
export async function changeEmail(
  context: AuthContext,
  request: ChangeEmailRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<ChangeEmailResponse> {
  const newEmail = checkEmail(request.newEmail);
  const user = await proveOwnPassword(context, caller, request.currentPassword);
  if (user.emailKey === emailKey(newEmail)) {
    throw new DomainError('INVALID_ARGUMENT', 'email-unchanged', 'This is your address already');
  }
  const now = context.now();
  if (!(await claimMail(context.db, user.id, 'emailChangeSentAt', now, resendMs))) {
    const sentAt = (await findById(context.db, user.id))?.emailChangeSentAt ?? now;
    throw mailTooSoon('changing your address again', sentAt, now);
  }
  context.inBackground('a change of e-mail address', () => mailBoth(context, user, newEmail));
  return { message: 'We have mailed a link to the new address. Your address changes when you open it' };
}

async function mailBoth(context: AuthContext, user: User, newEmail: string): Promise<void> {
  await sendEmailChangeNotice(context, user);
  // A link to an address that was mistyped must not outlive its correction.
  await spendAllLinks(context.db, user.id, 'change-email', context.now());
  if (await findByEmail(context.db, newEmail)) {
    await sendAddressInUse(context, user, newEmail);
    return;
  }
  const token = newLinkToken();
  const link = { userId: user.id, purpose: 'change-email', token, hours: emailChangeHours, newEmail } as const;
  await storeLink(context.db, link, context.now());
  await sendEmailChange(context, user, newEmail, token.token);
}
