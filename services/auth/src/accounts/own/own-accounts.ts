import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type AccessTokens, invalidToken, sessionSeconds } from '../../domain/access-tokens.ts';
import type { Passwords } from '../../domain/passwords.ts';
import type { PrismaClient, User } from '../../generated/client.ts';
import type { Db } from '../../store/database.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { createSession, endSessions, findHolder, listSessions } from '../../store/sessions.ts';
import { changeEmailAddress, findById, findByName, updateUser } from '../../store/users.ts';
import type { Accounts, SignedIn } from '../accounts.ts';

export interface OwnAccountsSettings {
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  readonly passwords: Passwords;
  readonly tokens: AccessTokens;
  now(): Date;
}

/** Accounts of our own: everything is in our tables. */
export function createOwnAccounts({ pool, db, passwords, tokens, now }: OwnAccountsSettings): Accounts {
  async function open(tx: Db, user: User, address: string): Promise<SignedIn> {
    const session = await createSession(tx, user.id, address, now());
    const claims = { userId: user.id, sessionId: session.id };
    const accessToken = await tokens.issue(claims, session.createdAt.getTime());
    return { accessToken, expiresInS: sessionSeconds };
  }

  return {
    keys: async () => ({ jwksJson: JSON.stringify(await tokens.jwks()), away: false }),
    claims: (token) => tokens.read(token, now().getTime()),
    async holder(token) {
      const claims = await tokens.read(token, now().getTime());
      const user = await findHolder(pool, claims, now());
      if (!user) throw invalidToken();
      return user;
    },

    async make({ password }) {
      const passwordHash = await passwords.hash(password, 'stranger');
      return { id: randomUUID(), passwordHash, discard: async () => undefined };
    },
    async prove(username, password, lane) {
      const user = await findByName(db, username);
      const right = await passwords.verify(user?.passwordHash, password, lane);
      if (!user?.passwordHash || !right) return undefined;
      if (passwords.outdated(user.passwordHash)) {
        await updateUser(db, user.id, { passwordHash: await passwords.hash(password, lane) });
      }
      return { user, open: (tx, address) => open(tx, user, address) };
    },
    isPassword: (user, password) => passwords.verify(user.passwordHash, password),
    hasPassword: (user) => user.passwordHash !== null,
    prepare: async (password) => ({ password, hash: await passwords.hash(password) }),
    async setPassword(tx, userId, { hash }) {
      const user = await updateUser(tx, userId, { passwordHash: hash });
      await endSessions(tx, user.id, now());
      return user;
    },
    open: (tx, user, _password, address) => open(tx, user, address),

    current: (tx, userId) => findById(tx, userId),
    setAdmin: (tx, user, admin) => updateUser(tx, user.id, { admin }),
    setVerified: (tx, user, verified) => updateUser(tx, user.id, { verified }),
    setEmail: (tx, userId, email) => changeEmailAddress(tx, userId, email),
    remove: (tx, user) => deleteAccount(tx, user, now()),

    sessions: (userId) => listSessions(db, userId, now()),
    endSessions: (tx, userId, which = {}) => endSessions(tx, userId, now(), which),
  };
}
