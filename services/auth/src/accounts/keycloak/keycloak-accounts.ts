import { randomUUID } from 'node:crypto';
import type { Logger } from '@husky/runtime/process/logger';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { invalidToken, sessionSeconds } from '../../domain/access-tokens.ts';
import { tooManyAttempts } from '../../domain/back-off.ts';
import { emailKey } from '../../domain/email.ts';
import { isUsername, userNotFound } from '../../domain/username.ts';
import type { PrismaClient, User } from '../../generated/client.ts';
import type { Db } from '../../store/database.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { type ExternalIdentity, findUserRow, matchesIdentity, syncIdentity } from '../../store/identity-sync.ts';
import { addressesOf, sessionInsert } from '../../store/sessions.ts';
import { changeEmailAddress, findById, findByName, type UserRow, updateUser } from '../../store/users.ts';
import type { Accounts, NewSession } from '../accounts.ts';
import type { AdminApi } from './admin-api.ts';
import { createRealmUser } from './create-realm-user.ts';
import type { KeycloakHttp } from './http.ts';
import { type Grant, identityFromClaims, type RealmSignIn } from './sign-in.ts';
import type { RealmTokens } from './tokens.ts';

interface KeycloakAccountsSettings {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  readonly http: KeycloakHttp;
  readonly tokens: RealmTokens;
  readonly signIn: RealmSignIn;
  readonly admin: AdminApi;
  now(): Date;
}

/** Accounts in a Keycloak realm. Rows mirror the realm; changes are made in the realm inside the transaction of the row. */
export function createKeycloakAccounts(settings: KeycloakAccountsSettings): Accounts {
  const { log, pool, db, transaction, http, tokens, signIn, admin, now } = settings;

  async function userOf(identity: ExternalIdentity): Promise<UserRow> {
    const row = await findUserRow(pool, identity.id);
    if (row && matchesIdentity(row, identity)) return row;
    return transaction((tx) => syncIdentity(tx, identity, now()));
  }

  /** Returns a session whose row has the client's address, for the user's list of sessions. Keycloak only knows auth's own address. */
  async function newSession(grant: Grant, address: string): Promise<NewSession> {
    const { userId, sessionId } = await tokens.read(grant.accessToken);
    return { ...grant, insert: sessionInsert({ id: sessionId, userId, address }, now()) };
  }

  // Called for unknown names too, so that the response time reveals nothing.
  async function throwIfLocked(user: User | null): Promise<void> {
    const until = await admin.lockedUntil(user?.id ?? randomUUID());
    if (until > Date.now()) throw tooManyAttempts(until - Date.now());
  }

  return {
    keys: async () => ({ jwksJson: await tokens.jwksJson(), unavailable: http.isUnavailable(tokens.keysUrl) }),
    readToken: (token) => tokens.read(token),
    async identify(token) {
      const { userId } = await tokens.read(token);
      const identity = await signIn.userInfo(token);
      if (identity?.id !== userId) throw invalidToken();
      return userOf(identity);
    },

    async activeUser(userId) {
      const [user, isAdmin] = await Promise.all([admin.user(userId), admin.isAdmin(userId)]);
      if (!user || user.enabled === false) return undefined;
      const { username, email = null, emailVerified: verified = false } = user;
      return userOf({ id: userId, username, email, verified, admin: isAdmin });
    },

    create: (account) => createRealmUser({ log, db, tokens, signIn, admin }, account),
    async authenticate(username, password) {
      if (!isUsername(username)) return undefined;
      const grant = await signIn.grant(username, password);
      if (!grant) {
        await throwIfLocked(await findByName(db, username));
        return undefined;
      }
      const { payload, sessionId } = await tokens.read(grant.accessToken);
      try {
        const user = await userOf(identityFromClaims(payload));
        return { user, newSession: (address) => newSession(grant, address) };
      } catch (error) {
        await admin.endSession(sessionId).catch((failure: unknown) => {
          log.warn({ err: failure, sessionId }, `session of a refused sign-in not ended: ${messageOf(failure)}`);
        });
        throw error;
      }
    },
    async isPassword(user, password) {
      const grant = await signIn.grant(user.username, password);
      if (!grant) {
        await throwIfLocked(user);
        return false;
      }
      const { userId, sessionId } = await tokens.read(grant.accessToken);
      await admin.endSession(sessionId);
      return userId === user.id;
    },
    hasPassword: (user) => !user.house && user.passwordHash === null,
    preparePassword: async (password) => ({ password, hash: null }),
    async setPassword(tx, userId, { password }) {
      const user = await findById(tx, userId);
      if (!user) throw userNotFound();
      await admin.setPassword(userId, password);
      await admin.endAllSessions(userId);
      return user;
    },
    async newSession(user, password, address) {
      const grant = await signIn.grant(user.username, password);
      if (!grant) throw new Error(`Keycloak refuses the password that was just set for user ${user.id}`);
      return newSession(grant, address);
    },

    async currentUser(tx, userId) {
      const [user, isAdmin] = await Promise.all([admin.user(userId), admin.isAdmin(userId)]);
      // The house account, or an account of the other mode.
      if (!user) return null;
      const { username, email = null, emailVerified: verified = false } = user;
      return syncIdentity(tx, { id: userId, username, email, verified, admin: isAdmin }, now());
    },
    async setAdmin(tx, { id, username }, isAdmin) {
      const changed = await updateUser(tx, id, { admin: isAdmin });
      await admin.setAdmin(id, isAdmin);
      if (!isAdmin && (await admin.isAdmin(id))) {
        const message = `${username} is an admin through a group or another role in Keycloak: change it there`;
        throw new DomainError('FAILED_PRECONDITION', 'role-from-group', message);
      }
      return changed;
    },
    async setVerified(tx, user, verified) {
      const changed = await updateUser(tx, user.id, { verified });
      const realmUser = await admin.user(user.id);
      if (!realmUser) throw userNotFound();
      if (emailKey(realmUser.email ?? '') !== (user.emailKey ?? '')) {
        const message =
          'The e-mail address of this account has been changed in the meantime. Please request a new link';
        throw new DomainError('FAILED_PRECONDITION', 'email-changed', message);
      }
      await admin.updateUser(user.id, { emailVerified: verified });
      return changed;
    },
    async setEmail(tx, userId, email) {
      const user = await changeEmailAddress(tx, userId, email);
      await admin.updateUser(userId, { email, emailVerified: true });
      return user;
    },
    async remove(tx, user) {
      await deleteAccount(tx, user, now());
      await admin.deleteUser(user.id);
    },

    async sessions(userId) {
      const sessions = await admin.sessions(userId);
      const addresses = await addressesOf(db, userId);
      return sessions
        .map(({ id, start, ipAddress }) => ({
          id,
          // Keycloak recorded auth's own address for sessions that auth started.
          address: addresses.get(id) ?? ipAddress,
          createdAt: new Date(start),
          expiresAt: new Date(start + sessionSeconds * 1000),
        }))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || a.id.localeCompare(b.id));
    },
    async endSessions(_tx, userId, { only, except } = {}) {
      const sessions = await admin.sessions(userId);
      const ending = sessions.filter(({ id }) => id !== except && (only === undefined || id === only));
      if (only === undefined && except === undefined && ending.length > 0) await admin.endAllSessions(userId);
      else for (const { id } of ending) await admin.endSession(id);
      return ending.length;
    },
  };
}
