import type { GetKeysResponse } from '@husky/contracts/types/auth/v1/GetKeysResponse';
import type { LoginRequest__Output } from '@husky/contracts/types/auth/v1/LoginRequest';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { DomainError } from '@husky/runtime/errors';
import { prepared, sql } from '@husky/runtime/sql';
import { auditFailedSignIn, recordInsert } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import {
  type AttemptKey,
  attemptKeys,
  isRecentUse,
  knownNetworkKey,
  knownNetworkKeys,
  networkPrefix,
} from '../domain/back-off.ts';
import type { HashPriority } from '../domain/hash-queue.ts';
import { usernameKey } from '../domain/username.ts';
import { presentSession, presentUser } from '../present.ts';
import { knownNetworkInsert } from '../store/known-networks.ts';
import { backOffClearing, checkSignIn } from '../store/login-attempts.ts';
import { callerOf, findByName } from '../store/users.ts';
import { runRateLimited } from './password-check.ts';

/**
 * Signs a user in. An unknown name gets the same response in the same time as a wrong password. Sign-ins from networks that
 * the name was used from have a queue of their own; a stranger costs one short read before queueing.
 */
export function login(context: AuthContext): AuthHandlers['login'] {
  return async (request): Promise<Session> => {
    const { address } = request;
    const name = usernameKey(request.username);
    const [knownKeys, strangerKeys] = [knownNetworkKeys(name, address), attemptKeys('login', name, address)];
    const place = knownNetworkKey(name, address);
    const seenAt = await checkSignIn(context.pool, place, knownKeys, strangerKeys, context.now());
    const [keys, priority] = seenAt ? ([knownKeys, 'known'] as const) : ([strangerKeys, 'stranger'] as const);
    const origin = { network: networkPrefix(address), name };
    return context.hashQueues[priority](origin, () => signIn(context, request, keys, priority, seenAt));
  };
}

async function signIn(
  context: AuthContext,
  request: LoginRequest__Output,
  keys: readonly AttemptKey[],
  priority: HashPriority,
  seenAt: Date | null,
): Promise<Session> {
  const { username, password, address } = request;
  const attempt = () => context.accounts.authenticate(username, password, priority);
  const authenticated = await runRateLimited(context, keys, attempt);
  if (!authenticated) {
    const user = await findByName(context.db, username);
    await context.transaction((tx) => auditFailedSignIn(tx, user?.id ?? '', address, context.now()));
    throw new DomainError('UNAUTHENTICATED', 'invalid-credentials', 'Invalid credentials');
  }

  const { user } = authenticated;
  const session = await authenticated.newSession(address);
  const entry = { action: 'user.signed_in', subjectKind: 'user', subjectId: user.id, address };
  const isNewUse = address !== '' && !isRecentUse(seenAt, context.now());
  const place = isNewUse ? knownNetworkKey(user.usernameKey, address) : null;
  // One statement, because each waits for a processor under overload.
  const statement = sql`WITH ${backOffClearing(keys)}, audited AS (${recordInsert(callerOf(user), entry, context.now())}),
    remembered AS (${knownNetworkInsert(place, context.now())}) ${session.insert}`;
  await context.pool.query(prepared('sign-in', statement));
  return presentSession(session, user);
}

/** Returns the token's user with their current roles, not those of the sign-in. */
export function identify(context: AuthContext): AuthHandlers['identify'] {
  return async (request): Promise<User> =>
    presentUser(await context.accounts.identify(request.accessToken), { email: true });
}

/** Returns the public keys of access tokens, and whether the identity service is unreachable. */
export function getKeys(context: AuthContext): AuthHandlers['getKeys'] {
  return async (): Promise<GetKeysResponse> => {
    const { jwksJson, unavailable } = await context.accounts.keys();
    return { jwksJson, identityAway: unavailable };
  };
}
