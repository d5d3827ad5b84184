import { userChanged } from '@husky/contracts/events';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import { audit } from './audit/audit.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { withAsciiDomain } from './domain/email.ts';
import { checkPasswordLength, isStolen } from './domain/passwords.ts';
import { checkUsername, isReservedName, usernameHash } from './domain/username.ts';
import { createUser, findByName } from './store/users.ts';

/** Ensures that the configured admin exists. Safe to call on several replicas at once. */
export async function createFirstAdmin(context: AuthContext, settings: AuthConfig['firstAdmin']): Promise<void> {
  // Reads the keys first: the service becomes ready only when the identity backend was reached.
  await context.accounts.keys();
  await ensureFirstAdmin(context, settings).catch((error: unknown) => {
    // Another replica may have created the account at the same time.
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
    context.log.info(`first admin not created: ${error.message}`);
  });
}

/** Creates the configured admin, verified, unless the name was ever taken. An existing account is not changed. */
async function ensureFirstAdmin(context: AuthContext, settings: AuthConfig['firstAdmin']): Promise<void> {
  if (!settings) return;
  const username = checkUsername(settings.username);
  checkPasswordLength(settings.password);
  if (isReservedName(username)) throw new Error(`ADMIN_USERNAME ${username} is reserved`);
  const claim = await context.db.nameClaim.findUnique({ where: { nameHash: usernameHash(username) } });
  if (claim) {
    const user = await findByName(context.db, username);
    if (!user?.admin) context.log.warn(`${username} is not made admin: the name belongs to another account`);
    return;
  }
  // Only a warning: the operator chose it, and the platform needs an admin to run.
  if (await isStolen(settings.password))
    context.log.warn('ADMIN_PASSWORD is in lists of stolen passwords: change it soon');
  const now = context.now();
  const { password } = settings;
  const email = withAsciiDomain(settings.email);
  const created = await context.accounts.create({ username, email, password, admin: true, verified: true });
  const written = context.transaction(async (tx) => {
    const user = await createUser(tx, {
      id: created.id,
      username,
      email,
      passwordHash: created.passwordHash,
      admin: true,
      verified: true,
      createdAt: now,
      verificationSentAt: null,
    });
    await emit(tx, userChanged, { userId: user.id, change: 'REGISTERED' });
    const entry = { action: 'user.first_admin_made', subjectKind: 'user', subjectId: user.id };
    await audit(tx, { kind: 'service', name: 'auth' }, entry, now);
  });
  await written.catch(async (error: unknown) => {
    await created.discard();
    throw error;
  });
  context.log.info(`the first admin ${username} has been created`);
}
