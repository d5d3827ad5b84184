import type { LoginRequest__Output } from '@husky/contracts/types/auth/v1/LoginRequest';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import { DomainError } from '@husky/runtime/errors';
import { audit, auditFailedSignIn } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { type AttemptKey, attemptKeys, homeKeys, placeKey, siteOf } from '../domain/back-off.ts';
import type { Lane } from '../domain/turns.ts';
import { usernameKey } from '../domain/username.ts';
import { presentSession } from '../present.ts';
import { forgive, refuseBlocked } from '../store/attempts.ts';
import { isKnownPlace, rememberPlace } from '../store/known-places.ts';
import { callerOf, findByName } from '../store/users.ts';
import { countedTry } from './counted-try.ts';

/**
 * Anyone. An unknown name gets the same answer after the same work as a wrong password. Who signs in where they have
 * before does not wait for strangers; all that a stranger costs before their turn is two short reads.
 */
export async function login(context: AuthContext, request: LoginRequest__Output): Promise<Session> {
  const { address } = request;
  const name = usernameKey(request.username);
  const known = address !== '' && (await isKnownPlace(context.pool, placeKey(name, address)));
  const keys = known ? homeKeys(name, address) : attemptKeys('login', name, address);
  await refuseBlocked(context.pool, keys, context.now());
  const lane = known ? 'known' : 'stranger';
  return context.turns[lane]({ network: siteOf(address), name }, () => signIn(context, request, keys, lane));
}

async function signIn(
  context: AuthContext,
  request: LoginRequest__Output,
  keys: readonly AttemptKey[],
  lane: Lane,
): Promise<Session> {
  const { address } = request;
  const prove = () => context.accounts.prove(request.username, request.password, lane);
  const proof = await countedTry(context, keys, prove);
  if (!proof) {
    const user = await findByName(context.db, request.username);
    await context.transaction((tx) => auditFailedSignIn(tx, user?.id ?? '', address, context.now()));
    throw new DomainError('UNAUTHENTICATED', 'invalid-credentials', 'Invalid credentials');
  }

  const { user } = proof;
  const session = await context.transaction(async (tx) => {
    await forgive(tx, keys);
    const entry = { action: 'user.signed_in', subjectKind: 'user', subjectId: user.id, address };
    await audit(tx, callerOf(user), entry, context.now());
    if (address !== '') await rememberPlace(tx, placeKey(user.usernameKey, address), context.now());
    return proof.open(tx, address);
  });
  return presentSession(session, user);
}
