import type { Logger } from '@husky/runtime/process/logger';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { emailKey } from '../../domain/email.ts';
import type { Db } from '../../store/database.ts';
import { findById } from '../../store/users.ts';
import type { CreatedAccount, NewAccount } from '../accounts.ts';
import type { AdminApi } from './admin-api.ts';
import type { RealmSignIn } from './sign-in.ts';
import type { RealmTokens } from './tokens.ts';

interface Dependencies {
  readonly log: Logger;
  readonly db: Db;
  readonly tokens: RealmTokens;
  readonly signIn: RealmSignIn;
  readonly admin: AdminApi;
}

const interruptedTtlMs = 15 * 60_000;

/** Creates a user of the realm; the caller writes the row. Completes an earlier registration that timed out after Keycloak had created the user. */
export async function createRealmUser(dependencies: Dependencies, account: NewAccount): Promise<CreatedAccount> {
  const { log, db, admin } = dependencies;
  const { username, email, password, verified } = account;
  let id: string;
  try {
    id = await admin.createUser({ username, email, password, emailVerified: verified });
  } catch (error) {
    const taken = error instanceof DomainError && error.code === 'ALREADY_EXISTS';
    const interruptedId = taken ? await findInterruptedRegistration(dependencies, account) : undefined;
    if (interruptedId === undefined) throw error;
    return { id: interruptedId, passwordHash: null, discard: async () => undefined };
  }
  const discard = async () => {
    try {
      // A concurrent registration of the same user may have written the row.
      if (!(await findById(db, id))) await admin.deleteUser(id);
    } catch (error) {
      log.warn({ err: error, userId: id }, `incomplete registration not discarded: ${messageOf(error)}`);
    }
  };
  try {
    if (account.admin) await admin.setAdmin(id, true);
  } catch (error) {
    await discard();
    throw error;
  }
  return { id, passwordHash: null, discard };
}

/**
 * Returns the id of a user whose registration failed on a timeout although Keycloak created the user: younger than 15
 * minutes, without a row here, with the same address and password.
 */
async function findInterruptedRegistration(
  { db, tokens, signIn, admin }: Dependencies,
  account: NewAccount,
): Promise<string | undefined> {
  const { id, email = '', createdTimestamp = 0 } = (await admin.find(account.username)) ?? {};
  const recent = Date.now() - createdTimestamp < interruptedTtlMs;
  if (id === undefined || !recent || emailKey(email) !== emailKey(account.email)) return undefined;
  if (account.admin || (await findById(db, id))) return undefined;
  const grant = await signIn.grant(account.username, account.password);
  if (!grant) return undefined;
  const { userId, sessionId } = await tokens.read(grant.accessToken);
  await admin.endSession(sessionId);
  return userId === id ? id : undefined;
}
