import { messageOf } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { emailChangeHours, resetHours, verificationHours } from '../domain/mail-link.ts';
import type { User } from '../generated/client.ts';
import {
  addressInUseMail,
  emailChangeMail,
  emailChangeNotice,
  passwordResetMail,
  verificationMail,
} from './templates.ts';

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

/** Mails the link that changes an account's address, to the address that it will be; throws when it cannot be sent. */
export async function sendEmailChange(context: AuthContext, user: User, to: string, token: string): Promise<void> {
  const url = `${context.publicUrl}/auth/change-email/${token}`;
  const mail = emailChangeMail(user.username, url, emailChangeHours);
  await context.mailer.send({ ...mail, to, username: user.username, kind: 'change of address', url });
}

/** Tells the present address that another one was asked for; a failure is logged and holds nothing up. */
export async function sendEmailChangeNotice(context: AuthContext, user: User): Promise<void> {
  if (user.email === null) return;
  const url = `${context.publicUrl}/account`;
  const mail = emailChangeNotice(user.username, url);
  try {
    await context.mailer.send({
      ...mail,
      to: user.email,
      username: user.username,
      kind: 'notice of a new address',
      url,
    });
  } catch (error) {
    context.log.warn({ err: error, userId: user.id }, `a notice could not be mailed: ${messageOf(error)}`);
  }
}

/** Tells an address that it has an account already, to whoever asked to use it for another one. */
export async function sendAddressInUse(context: AuthContext, user: User, to: string): Promise<void> {
  const url = `${context.publicUrl}/forgot-password`;
  await context.mailer.send({ ...addressInUseMail(url), to, username: user.username, kind: 'address in use', url });
}
