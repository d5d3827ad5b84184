import { randomUUID } from 'node:crypto';
import { messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import { invalidToken } from '../../domain/access-tokens.ts';
import { tooManyAttempts } from '../../domain/back-off.ts';
import { isUsername, userNotFound } from '../../domain/username.ts';
import type { PrismaClient, User } from '../../generated/client.ts';
import type { Db } from '../../store/database.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { addressesOf, keepSession } from '../../store/sessions.ts';
import { agrees, findRow, recordSight, type Seen } from '../../store/sights.ts';
import { changeEmailAddress, findById, findByName, updateUser } from '../../store/users.ts';
import type { Accounts, SignedIn } from '../accounts.ts';
import type { AdminApi } from './admin-api.ts';
import type { KeycloakHttp } from './http.ts';
import { makeRealmUser } from './make-user.ts';
import { emailChanged, roleFromGroup } from './refusals.ts';
import { endedSessions, openSessions } from './sessions.ts';
import { type Grant, type SignIn, seenIn } from './sign-in.ts';
import type { RealmTokens } from './tokens.ts';

export interface KeycloakAccountsSettings {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  readonly http: KeycloakHttp;
  readonly tokens: RealmTokens;
  readonly signIn: SignIn;
  readonly admin: AdminApi;
  now(): Date;
}

/** Accounts of a Keycloak realm: our rows follow it, and what people do here is done there. */
export function createKeycloakAccounts(settings: KeycloakAccountsSettings): Accounts {
  const { log, pool, db, transaction, http, tokens, signIn, admin, now } = settings;

  async function see(seen: Seen): Promise<User> {
    const row = await findRow(pool, seen.id);
    if (row && agrees(row, seen)) return row;
    return transaction((tx) => recordSight(tx, seen, now()));
  }

  async function quietly(what: string, work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => log.warn({ err: error }, `${what} failed: ${messageOf(error)}`));
  }

  /** The session of a grant becomes one that people find in their list. */
  async function keep(tx: Db, grant: Grant, address: string): Promise<SignedIn> {
    const { userId, sessionId } = await tokens.read(grant.accessToken);
    await keepSession(tx, { id: sessionId, userId, address }, now());
    return grant;
  }

  // Asked for unknown names too, so that the time tells nothing.
  async function refuseLocked(user: User | null): Promise<void> {
    const until = await admin.lockedUntil(user?.id ?? randomUUID());
    if (until > Date.now()) throw tooManyAttempts(until - Date.now());
  }

  return {
    keys: async () => ({ jwksJson: await tokens.jwksJson(), away: http.away(tokens.keysUrl) }),
    claims: (token) => tokens.read(token),
    async holder(token) {
      const { userId } = await tokens.read(token);
      const seen = await signIn.userInfo(token);
      if (seen?.id !== userId) throw invalidToken();
      return see(seen);
    },

    make: (account) => makeRealmUser({ log, db, tokens, signIn, admin }, account),
    async prove(username, password) {
      if (!isUsername(username)) return undefined;
      const grant = await signIn.grant(username, password);
      if (!grant) {
        await refuseLocked(await findByName(db, username));
        return undefined;
      }
      const { payload, sessionId } = await tokens.read(grant.accessToken);
      try {
        const user = await see(seenIn(payload));
        return { user, open: (tx, address) => keep(tx, grant, address) };
      } catch (error) {
        await quietly('ending the session of somebody who is refused', admin.endSession(sessionId));
        throw error;
      }
    },
    async isPassword(user, password) {
      const grant = await signIn.grant(user.username, password);
      if (!grant) {
        await refuseLocked(user);
        return false;
      }
      const { userId, sessionId } = await tokens.read(grant.accessToken);
      await admin.endSession(sessionId);
      return userId === user.id;
    },
    hasPassword: (user) => !user.house && user.passwordHash === null,
    prepare: async (password) => ({ password, hash: null }),
    async setPassword(tx, userId, { password }) {
      const user = await findById(tx, userId);
      if (!user) throw userNotFound();
      await admin.setPassword(userId, password);
      await admin.endAllSessions(userId);
      return user;
    },
    async open(tx, user, password, address) {
      const grant = await signIn.grant(user.username, password);
      if (!grant) throw new Error(`Keycloak does not sign in ${user.id} with the password that was just set`);
      return keep(tx, grant, address);
    },

    async current(tx, userId) {
      const [user, isAdmin] = await Promise.all([admin.user(userId), admin.isAdmin(userId)]);
      // An account of another time, or the house: nobody's in Keycloak.
      if (!user) return null;
      const { username, email = null, emailVerified: verified = false } = user;
      return recordSight(tx, { id: userId, username, email, verified, admin: isAdmin }, now());
    },
    async setAdmin(tx, user, wanted) {
      const changed = await updateUser(tx, user.id, { admin: wanted });
      await admin.setAdmin(user.id, wanted);
      if (!wanted && (await admin.isAdmin(user.id))) throw roleFromGroup(user.username);
      return changed;
    },
    async setVerified(tx, user, verified) {
      const changed = await updateUser(tx, user.id, { verified });
      const there = await admin.user(user.id);
      if (!there) throw userNotFound();
      if ((there.email ?? '').toLowerCase() !== (user.emailKey ?? '')) throw emailChanged();
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
      const open = await admin.sessions(userId);
      return openSessions(open, await addressesOf(db, userId));
    },
    endSessions: (_tx, userId, which = {}) => endedSessions(admin, userId, which),
  };
}
