import { messageOf } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { verificationHours } from '../domain/mail-link.ts';
import type { User } from '../generated/client.ts';
import { verificationMail } from './templates.ts';

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
