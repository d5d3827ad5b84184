import type { GetKeysResponse } from '@husky/contracts/types/auth/v1/GetKeysResponse';
import type { LoginRequest__Output } from '@husky/contracts/types/auth/v1/LoginRequest';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { prepared, sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { auditFailedSignIn, recordInsert } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import {
  type AttemptKey,
  isRecentUse,
  knownPlaces,
  networkPrefix,
  type Proof,
  signInKeys,
} from '../domain/back-off.ts';
import type { HashPriority } from '../domain/hash-queue.ts';
import { usernameKey } from '../domain/username.ts';
import { presentSession, presentUser } from '../present.ts';
import { backOffClearing, checkSignIn, knownPlacesInsert } from '../store/login-attempts.ts';
import { callerOf, findByName } from '../store/users.ts';
import { runRateLimited } from './password-check.ts';

/**
 * Signs a user in. An unknown name gets the same response in the same time as a wrong password. Sign-ins from devices and networks that
 * the name was used from have a queue of their own; a stranger costs one short read before queueing.
 */
export function login(context: AuthContext): AuthHandlers['login'] {
  return async (request): Promise<Session> => {
    const { address, device } = request;
    const name = usernameKey(request.username);
    const keysOf = (proof: Proof) => signInKeys(proof, name, request);
    const deviceKeys = device === '' ? undefined : keysOf('device');
    const known = await checkSignIn(context.pool, knownPlaces(name, address), keysOf, deviceKeys, context.now());
    const keys = deviceKeys ?? keysOf(known.proof);
    const priority = deviceKeys === undefined && known.proof === 'none' ? 'stranger' : 'known';
    // The device proves the account: it need not wait behind others of its network.
    const origin = { network: deviceKeys === undefined ? networkPrefix(address) : `account ${name}`, name };
    return context.hashQueues[priority](origin, () => signIn(context, request, keys, priority, known.seenAt));
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
  const places = isNewUse ? knownPlaces(user.usernameKey, address) : null;
  // One statement, because each waits for a processor under overload.
  const statement = sql`WITH ${backOffClearing(keys)}, audited AS (${recordInsert(callerOf(user), entry, context.now())}),
    remembered AS (${knownPlacesInsert(places, context.now())}) ${session.insert}`;
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
