import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type AccessTokens, invalidToken, sessionSeconds } from '../../domain/access-tokens.ts';
import type { Passwords } from '../../domain/passwords.ts';
import type { PrismaClient, User } from '../../generated/client.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { findUserRow } from '../../store/identity-sync.ts';
import { endSessions, findSessionUser, listSessions, sessionInsert } from '../../store/sessions.ts';
import { changeEmailAddress, findById, findByName, updateUser } from '../../store/users.ts';
import type { Accounts, NewSession } from '../accounts.ts';

interface OwnAccountsSettings {
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  readonly passwords: Passwords;
  readonly tokens: AccessTokens;
  now(): Date;
}

/** Accounts in auth's own tables. */
export function createOwnAccounts({ pool, db, passwords, tokens, now }: OwnAccountsSettings): Accounts {
  async function newSession({ id: userId }: User, address: string): Promise<NewSession> {
    const createdAt = now();
    const sessionId = randomUUID();
    const accessToken = await tokens.issue({ userId, sessionId }, createdAt.getTime());
    const insert = sessionInsert({ id: sessionId, userId, address }, createdAt);
    return { accessToken, expiresInS: sessionSeconds, insert };
  }

  return {
    keys: async () => ({ jwksJson: JSON.stringify(await tokens.jwks()), unavailable: false }),
    readToken: (token) => tokens.read(token, now().getTime()),
    async identify(token) {
      const claims = await tokens.read(token, now().getTime());
      const user = await findSessionUser(pool, claims, now());
      if (!user) throw invalidToken();
      return user;
    },

    activeUser: (userId) => findUserRow(pool, userId),

    async create({ password }) {
      const passwordHash = await passwords.hash(password, 'stranger');
      return { id: randomUUID(), passwordHash, discard: async () => undefined };
    },
    async authenticate(username, password, priority) {
      const user = await findByName(db, username);
      const match = await passwords.verify(user?.passwordHash, password, priority);
      if (!user || match === 'wrong') return undefined;
      if (match === 'outdated') {
        await updateUser(db, user.id, { passwordHash: await passwords.hash(password, priority) });
      }
      return { user, newSession: (address) => newSession(user, address) };
    },
    isPassword: async (user, password) => (await passwords.verify(user.passwordHash, password)) !== 'wrong',
    hasPassword: (user) => user.passwordHash !== null,
    preparePassword: async (password) => ({ password, hash: await passwords.hash(password) }),
    async setPassword(tx, userId, { hash }) {
      const user = await updateUser(tx, userId, { passwordHash: hash });
      await endSessions(tx, user.id, now());
      return user;
    },
    newSession: (user, _password, address) => newSession(user, address),

    currentUser: (tx, userId) => findById(tx, userId),
    setAdmin: (tx, user, admin) => updateUser(tx, user.id, { admin }),
    setVerified: (tx, user, verified) => updateUser(tx, user.id, { verified }),
    setEmail: (tx, userId, email) => changeEmailAddress(tx, userId, email),
    remove: (tx, user) => deleteAccount(tx, user, now()),

    sessions: (userId) => listSessions(db, userId, now()),
    endSessions: (tx, userId, filter) => endSessions(tx, userId, now(), filter),
  };
}
