import { userChanged } from '@husky/contracts/events';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import { emit } from '@husky/runtime/messages/outbox';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { knownPlaces, networkPrefix } from '../domain/back-off.ts';
import { checkEmail, newLinkToken, verificationHours } from '../domain/email.ts';
import { checkPassword } from '../domain/passwords.ts';
import {
  checkProfile,
  checkUsername,
  isReservedName,
  isStaffName,
  staffName,
  usernameTaken,
} from '../domain/username.ts';
import { sendVerification } from '../mail/account-mails.ts';
import { presentSession } from '../present.ts';
import { knownPlacesInsert } from '../store/login-attempts.ts';
import { createLink } from '../store/mail-links.ts';
import { callerOf, checkFree, createUser, updateUser } from '../store/users.ts';

/** Creates an unverified account, signs it in and mails the verification link. A failed mail does not undo the registration. */
export function register(context: AuthContext): AuthHandlers['register'] {
  return async (request): Promise<Session> => {
    const username = checkUsername(request.username);
    const email = checkEmail(request.email);
    await checkPassword(request.password);
    const profile = checkProfile(request);
    if (isReservedName(username)) throw usernameTaken();
    if (isStaffName(username)) throw staffName();
    await checkFree(context.db, username, email);

    const { password, address } = request;
    const account = { username, email, password, admin: false, verified: false };
    const origin = { network: networkPrefix(address), name: '' };
    const created = await context.hashQueues.stranger(origin, () => context.accounts.create(account));
    const now = context.now();
    const token = newLinkToken();
    const registered = context.transaction(async (tx) => {
      const user = await createUser(tx, {
        ...profile,
        id: created.id,
        username,
        email,
        passwordHash: created.passwordHash,
        admin: false,
        verified: false,
        createdAt: now,
        verificationSentAt: now,
      });
      await createLink(tx, { userId: user.id, purpose: 'verify', token, hours: verificationHours }, now);
      const session = await context.accounts.newSession(user, password, address);
      await tx.$executeRaw(session.insert);
      if (address !== '') await tx.$executeRaw(knownPlacesInsert(knownPlaces(user.usernameKey, address), now));
      await emit(tx, userChanged, { userId: user.id, change: 'REGISTERED' });
      await audit(
        tx,
        callerOf(user),
        { action: 'user.registered', subjectKind: 'user', subjectId: user.id, address },
        now,
      );
      return { user, session };
    });
    const { user, session } = await registered.catch(async (error: unknown) => {
      await created.discard();
      throw error;
    });

    const sent = await sendVerification(context, user, token.token);
    if (!sent) await updateUser(context.db, user.id, { verificationSentAt: null });
    return presentSession(session, user);
  };
}
