import type { LoginRequest__Output } from '@husky/contracts/types/auth/v1/LoginRequest';
import type { Session } from '@husky/contracts/types/auth/v1/Session';
import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { attemptKeys } from '../domain/back-off.ts';
import { limitConcurrency } from '../domain/passwords.ts';
import { usernameKey } from '../domain/username.ts';
import { presentSession } from '../present.ts';
import { countAttempt, forgive, refuseBlocked } from '../store/attempts.ts';
import { asUser, audit, auditFailedSignIn } from '../store/audit.ts';
import { findByName } from '../store/users.ts';

// Tries for one name wait for each other; more at once would hold every connection that other calls need.
const counting = limitConcurrency(2);

/** Anyone. An unknown name gets the same answer after the same work as a wrong password. */
export async function login(context: AuthContext, request: LoginRequest__Output): Promise<Session> {
  const keys = attemptKeys('login', usernameKey(request.username), request.address);
  await refuseBlocked(context.db, keys, context.now());
  await counting(() => context.transaction((tx) => countAttempt(tx, keys, context.now())));
  const proof = await context.accounts.prove(request.username, request.password);
  if (!proof) {
    const user = await findByName(context.db, request.username);
    await context.transaction((tx) => auditFailedSignIn(tx, user?.id ?? '', request.address, context.now()));
    throw new DomainError('UNAUTHENTICATED', 'invalid-credentials', 'Invalid credentials');
  }

  const { user } = proof;
  const session = await context.transaction(async (tx) => {
    await forgive(tx, keys);
    const entry = { action: 'user.signed_in', subjectKind: 'user', subjectId: user.id, address: request.address };
    await audit(tx, asUser(user), entry, context.now());
    return proof.open(tx, request.address);
  });
  return presentSession(session, user);
}
