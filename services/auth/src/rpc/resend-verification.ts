import type { ResendVerificationRequest__Output } from '@husky/contracts/types/auth/v1/ResendVerificationRequest';
import type { ResendVerificationResponse } from '@husky/contracts/types/auth/v1/ResendVerificationResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { mailTooSoon, newLinkToken, resendMs, verificationHours } from '../domain/mail-link.ts';
import { userNotFound } from '../domain/username.ts';
import { sendVerification } from '../mail/account-mails.ts';
import { storeLink } from '../store/mail-tokens.ts';
import { claimMail, findById, updateUser } from '../store/users.ts';

/** A signed-in user who is not verified, once a minute; the registration's mail counts too. */
export async function resendVerification(
  context: AuthContext,
  _request: ResendVerificationRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<ResendVerificationResponse> {
  const user = await findById(context.db, caller.id);
  if (!user) throw userNotFound();
  if (user.verified) {
    throw new DomainError('FAILED_PRECONDITION', 'already-verified', 'Your account is already verified');
  }
  const now = context.now();
  if (!(await claimMail(context.db, user.id, 'verificationSentAt', now, resendMs))) {
    const sentAt = (await findById(context.db, user.id))?.verificationSentAt ?? now;
    throw mailTooSoon('requesting another verification email', sentAt, now);
  }
  const token = newLinkToken();
  await storeLink(context.db, { userId: user.id, purpose: 'verify', token, hours: verificationHours }, now);
  if (!(await sendVerification(context, user, token.token))) {
    await updateUser(context.db, user.id, { verificationSentAt: null });
    const message = 'The verification email could not be sent. Please try again later';
    throw new DomainError('UNAVAILABLE', 'mail-failed', message);
  }
  return { message: 'Verification email sent' };
}
