import type { RequestPasswordResetRequest__Output } from '@husky/contracts/types/auth/v1/RequestPasswordResetRequest';
import type { RequestPasswordResetResponse } from '@husky/contracts/types/auth/v1/RequestPasswordResetResponse';
import type { AuthContext } from '../context.ts';
import { attemptKeys } from '../domain/back-off.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { newLinkToken, resendMs, resetHours } from '../domain/mail-link.ts';
import { sendPasswordReset } from '../mail/account-mails.ts';
import { countAttempt } from '../store/attempts.ts';
import { storeLink } from '../store/mail-tokens.ts';
import { claimMail, findByEmail } from '../store/users.ts';

/** Anyone. Whether the address is known is looked up after the answer, so neither text nor time tells. */
export async function requestPasswordReset(
  context: AuthContext,
  request: RequestPasswordResetRequest__Output,
): Promise<RequestPasswordResetResponse> {
  const email = checkEmail(request.email);
  const keys = attemptKeys('reset', emailKey(email), request.address);
  await context.transaction((tx) => countAttempt(tx, keys, context.now()));
  context.inBackground('a password reset', () => mailIfKnown(context, email));
  return { message: 'If this address belongs to an account, a mail with a link is on its way' };
}

async function mailIfKnown(context: AuthContext, email: string): Promise<void> {
  const now = context.now();
  const user = await findByEmail(context.db, email);
  if (!user || !context.accounts.hasPassword(user)) return;
  if (!(await claimMail(context.db, user.id, 'resetSentAt', now, resendMs))) return;
  const token = newLinkToken();
  await storeLink(context.db, { userId: user.id, purpose: 'reset', token, hours: resetHours }, now);
  await sendPasswordReset(context, user, token.token);
}
