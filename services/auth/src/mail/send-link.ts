import { messageOf } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { resetHours, verificationHours } from '../domain/mail-link.ts';
import type { User } from '../generated/client.ts';
import { passwordResetMail, verificationMail } from './templates.ts';

/** Mails a verification link; answers whether it went out. Why not is logged here. */
export async function sendVerification(context: AuthContext, user: User, token: string): Promise<boolean> {
  if (user.email === null) return false;
  const url = `${context.publicUrl}/auth/verify-email/${token}`;
  const mail = verificationMail(user.username, url, verificationHours);
  try {
    await context.mailer.send({ ...mail, to: user.email, username: user.username, kind: 'verification', url });
    return true;
  } catch (error) {
    context.log.warn({ err: error, userId: user.id }, `a verification mail could not be sent: ${messageOf(error)}`);
    return false;
  }
}

/** Mails a link to choose a new password; throws when it cannot be sent. */
export async function sendPasswordReset(context: AuthContext, user: User, token: string): Promise<void> {
  if (user.email === null) return;
  const url = `${context.publicUrl}/reset-password/${token}`;
  const mail = passwordResetMail(user.username, url, resetHours);
  await context.mailer.send({ ...mail, to: user.email, username: user.username, kind: 'password reset', url });
}
