import { userChanged } from '@husky/contracts/events';
import type { ChangeEmailResponse } from '@husky/contracts/types/auth/v1/ChangeEmailResponse';
import type { ResendVerificationResponse } from '@husky/contracts/types/auth/v1/ResendVerificationResponse';
import type { User as UserMessage } from '@husky/contracts/types/auth/v1/User';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import {
  checkEmail,
  emailChangeHours,
  emailKey,
  emailTaken,
  linkRefusal,
  linkTokenHash,
  mailTooSoon,
  newLinkToken,
  resendMs,
  verificationHours,
} from '../domain/email.ts';
import { userNotFound } from '../domain/username.ts';
import type { User } from '../generated/client.ts';
import { sendAddressInUse, sendEmailChange, sendEmailChangeNotice, sendVerification } from '../mail/account-mails.ts';
import { presentUser } from '../present.ts';
import { createLink, revokeLinks, useLink } from '../store/mail-links.ts';
import { callerOf, claimMailSlot, findByEmail, findById, updateUser } from '../store/users.ts';
import { verifyOwnPassword } from './password-check.ts';

/** Mails the caller another verification link. At most one a minute is sent, including the one sent at registration. */
export function resendVerification(context: AuthContext): AuthHandlers['resendVerification'] {
  return async (_request, { caller }): Promise<ResendVerificationResponse> => {
    const user = await findById(context.db, caller.id);
    if (!user) throw userNotFound();
    if (user.verified) {
      throw new DomainError('FAILED_PRECONDITION', 'already-verified', 'Your account is already verified');
    }
    const now = context.now();
    if (!(await claimMailSlot(context.db, user.id, 'verificationSentAt', now, resendMs))) {
      const sentAt = (await findById(context.db, user.id))?.verificationSentAt ?? now;
      throw mailTooSoon('requesting another verification email', sentAt, now);
    }
    const token = newLinkToken();
    await createLink(context.db, { userId: user.id, purpose: 'verify', token, hours: verificationHours }, now);
    if (!(await sendVerification(context, user, token.token))) {
      await updateUser(context.db, user.id, { verificationSentAt: null });
      const message = 'The verification email could not be sent. Please try again later';
      throw new DomainError('UNAVAILABLE', 'mail-failed', message);
    }
    return { message: 'Verification email sent' };
  };
}

/** Verifies the address of the link's user. */
export function verifyEmail(context: AuthContext): AuthHandlers['verifyEmail'] {
  return (request): Promise<UserMessage> =>
    context.transaction(async (tx) => {
      const link = await useLink(tx, linkTokenHash(request.token), 'verify', context.now());
      if (typeof link === 'string') throw linkRefusal(link, 'verification');
      const owner = await findById(tx, link.userId);
      if (!owner) throw linkRefusal('unknown', 'verification');
      const user = await context.accounts.setVerified(tx, owner, true);
      await emit(tx, userChanged, { userId: user.id, change: 'VERIFIED' });
      const entry = { action: 'user.verified', subjectKind: 'user', subjectId: user.id, after: { verified: true } };
      await audit(tx, callerOf(user), entry, context.now());
      return presentUser(user, { email: false });
    });
}

/**
 * Mails a link to the caller's new address, at most once a minute, after checking the password. Whether the address is
 * taken is checked in the background, and both addresses get a mail in any case: response, timing and mails do not reveal it.
 */
export function changeEmail(context: AuthContext): AuthHandlers['changeEmail'] {
  return async (request, { caller }): Promise<ChangeEmailResponse> => {
    const newEmail = checkEmail(request.newEmail);
    const user = await verifyOwnPassword(context, caller, request.currentPassword);
    if (user.emailKey === emailKey(newEmail)) {
      throw new DomainError('INVALID_ARGUMENT', 'email-unchanged', 'This is already your address');
    }
    const now = context.now();
    if (!(await claimMailSlot(context.db, user.id, 'emailChangeSentAt', now, resendMs))) {
      const sentAt = (await findById(context.db, user.id))?.emailChangeSentAt ?? now;
      throw mailTooSoon('changing your address again', sentAt, now);
    }
    context.inBackground('a change of e-mail address', () => mailBothAddresses(context, user, newEmail));
    return { message: 'We have sent a link to the new address. Your address changes when you open it' };
  };
}

async function mailBothAddresses(context: AuthContext, user: User, newEmail: string): Promise<void> {
  await sendEmailChangeNotice(context, user);
  // A link to a mistyped address must not stay valid after its correction.
  await revokeLinks(context.db, user.id, ['change-email'], context.now());
  if (await findByEmail(context.db, newEmail)) {
    await sendAddressInUse(context, user, newEmail);
    return;
  }
  const token = newLinkToken();
  const link = { userId: user.id, purpose: 'change-email', token, hours: emailChangeHours, newEmail } as const;
  await createLink(context.db, link, context.now());
  await sendEmailChange(context, user, newEmail, token.token);
}

/**
 * Sets the link's address as verified and revokes links sent to the old address. Sessions stay open. Throws ALREADY_EXISTS
 * when the address was registered meanwhile; the link then stays unused.
 */
export function confirmEmailChange(context: AuthContext): AuthHandlers['confirmEmailChange'] {
  return (request): Promise<UserMessage> =>
    context.transaction(async (tx) => {
      const now = context.now();
      const link = await useLink(tx, linkTokenHash(request.token), 'change-email', now);
      if (typeof link === 'string') throw linkRefusal(link, 'address');
      if (link.newEmail === null) throw linkRefusal('unknown', 'address');
      if (await findByEmail(tx, link.newEmail)) throw emailTaken();
      const user = await context.accounts.setEmail(tx, link.userId, link.newEmail);
      await revokeLinks(tx, user.id, ['verify', 'reset'], now);
      await emit(tx, userChanged, { userId: user.id, change: 'VERIFIED' });
      const { address } = request;
      const entry = { action: 'user.email_changed', subjectKind: 'user', subjectId: user.id, address };
      await audit(tx, callerOf(user), entry, now);
      return presentUser(user, { email: false });
    });
}
