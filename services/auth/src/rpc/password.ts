import { userChanged } from '@husky/contracts/events';
import type { RequestPasswordResetResponse } from '@husky/contracts/types/auth/v1/RequestPasswordResetResponse';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { emit } from '@husky/runtime/messages/outbox';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { checkEmail, linkRefusal, linkTokenHash, newLinkToken, resendMs, resetHours } from '../domain/email.ts';
import { checkPassword } from '../domain/passwords.ts';
import { sendPasswordReset } from '../mail/account-mails.ts';
import { presentSession, presentUser } from '../present.ts';
import { revokeTokens } from '../store/api-tokens.ts';
import { checkLink, createLink, type LinkResult, revokeLinks, useLink } from '../store/mail-links.ts';
import { callerOf, claimMailSlot, findByEmail } from '../store/users.ts';
import { verifyOwnPassword } from './password-check.ts';

/** Changes the caller's password after checking the current one. Ends all sessions, revokes all access tokens and returns a new session. */
export function changePassword(context: AuthContext): AuthHandlers['changePassword'] {
  return async (request, { caller }): Promise<Session> => {
    await checkPassword(request.newPassword);
    await verifyOwnPassword(context, caller, request.currentPassword);
    const origin = { network: caller.id, name: caller.id };
    const prepared = await context.hashQueues.known(origin, () =>
      context.accounts.preparePassword(request.newPassword),
    );
    const now = context.now();
    const { session, user } = await context.transaction(async (tx) => {
      const user = await context.accounts.setPassword(tx, caller.id, prepared);
      await revokeLinks(tx, user.id, ['reset', 'change-email'], now);
      const accessTokensRevoked = await revokeTokens(tx, user.id, now);
      await emit(tx, userChanged, { userId: user.id, change: 'SIGNED_OUT' });
      const { address } = request;
      const after = { accessTokensRevoked };
      const entry = { action: 'user.password_changed', subjectKind: 'user', subjectId: user.id, address, after };
      await audit(tx, caller, entry, now);
      const session = await context.accounts.newSession(user, request.newPassword, address);
      await tx.$executeRaw(session.insert);
      return { user, session };
    });
    return presentSession(session, user);
  };
}

/**
 * Mails a link to set a new password. Looks the address up in the background, so that the response does not reveal whether it is known. An
 * account gets at most one mail a minute, whoever requests it, so nobody can keep its owner from getting one.
 */
export function requestPasswordReset(context: AuthContext): AuthHandlers['requestPasswordReset'] {
  return async (request): Promise<RequestPasswordResetResponse> => {
    const email = checkEmail(request.email);
    context.inBackground('a password reset', () => mailIfKnown(context, email));
    return { message: 'If this address belongs to an account, we have sent an e-mail with a link to it' };
  };
}

async function mailIfKnown(context: AuthContext, email: string): Promise<void> {
  const now = context.now();
  const user = await findByEmail(context.db, email);
  if (!user || !context.accounts.hasPassword(user)) return;
  if (!(await claimMailSlot(context.db, user.id, 'resetSentAt', now, resendMs))) return;
  const token = newLinkToken();
  await createLink(context.db, { userId: user.id, purpose: 'reset', token, hours: resetHours }, now);
  await sendPasswordReset(context, user, token.token);
}

/**
 * Sets the password of the link's user, ends all sessions and revokes all access tokens. A rejected password leaves the link
 * unused. An invalid link is rejected before the password is hashed.
 */
export function resetPassword(context: AuthContext): AuthHandlers['resetPassword'] {
  return async (request): Promise<User> => {
    const tokenHash = linkTokenHash(request.token);
    const owner = ownerOf(await checkLink(context.db, tokenHash, 'reset', context.now()));
    await checkPassword(request.newPassword);
    const origin = { network: owner, name: owner };
    const prepared = await context.hashQueues.known(origin, () =>
      context.accounts.preparePassword(request.newPassword),
    );
    return context.transaction(async (tx) => {
      const now = context.now();
      const userId = ownerOf(await useLink(tx, tokenHash, 'reset', now));
      const user = await context.accounts.setPassword(tx, userId, prepared);
      // Whoever knew the old password may have requested a change of address.
      await revokeLinks(tx, user.id, ['change-email'], now);
      const after = { accessTokensRevoked: await revokeTokens(tx, user.id, now) };
      await emit(tx, userChanged, { userId: user.id, change: 'SIGNED_OUT' });
      const entry = { action: 'user.password_reset', subjectKind: 'user', subjectId: user.id, after };
      await audit(tx, callerOf(user), entry, now);
      return presentUser(user, { email: false });
    });
  };
}

function ownerOf(link: LinkResult): string {
  if (typeof link === 'string') throw linkRefusal(link, 'password');
  return link.userId;
}
