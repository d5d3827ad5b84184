import { DomainError, messageOf } from '@husky/runtime/errors';
import { findById } from '../../store/users.ts';
import type { MadeAccount, NewAccount } from '../accounts.ts';
import type { KeycloakAccountsSettings } from './keycloak-accounts.ts';

type Tools = Pick<KeycloakAccountsSettings, 'log' | 'db' | 'tokens' | 'signIn' | 'admin'>;

const unfinishedMs = 15 * 60_000;

/** A user of the realm for a row that is about to be written. */
export async function makeRealmUser(tools: Tools, account: NewAccount): Promise<MadeAccount> {
  const { log, db, admin } = tools;
  const { username, email, password, verified } = account;
  let id: string;
  try {
    id = await admin.createUser({ username, email, password, emailVerified: verified });
  } catch (error) {
    const taken = error instanceof DomainError && error.code === 'ALREADY_EXISTS';
    const mine = taken ? await findUnfinished(tools, account) : undefined;
    if (mine === undefined) throw error;
    return { id: mine, passwordHash: null, discard: async () => undefined };
  }
  const discard = async () => {
    try {
      // Whoever registered twice at once may have got the row by their other try.
      if (!(await findById(db, id))) await admin.deleteUser(id);
    } catch (error) {
      log.warn({ err: error }, `taking back an account that was not finished failed: ${messageOf(error)}`);
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
 * The user of a registration that was told to try again, as Keycloak was too slow, and was made after all: young, without
 * a row here, and theirs who know its password.
 */
async function findUnfinished(tools: Tools, account: NewAccount): Promise<string | undefined> {
  const { db, tokens, signIn, admin } = tools;
  const { id, email = '', createdTimestamp = 0 } = (await admin.find(account.username)) ?? {};
  const young = Date.now() - createdTimestamp < unfinishedMs;
  if (id === undefined || !young || email.toLowerCase() !== account.email.toLowerCase()) return undefined;
  if (account.admin || (await findById(db, id))) return undefined;
  const grant = await signIn.grant(account.username, account.password);
  if (!grant) return undefined;
  const { userId, sessionId } = await tokens.read(grant.accessToken);
  await admin.endSession(sessionId);
  return userId === id ? id : undefined;
}
