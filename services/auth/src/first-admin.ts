import { DomainError } from '@husky/runtime/errors';
import { audit } from './audit/audit.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { checkPasswordLength } from './domain/password-rules.ts';
import { isStolen } from './domain/stolen-passwords.ts';
import { checkUsername, isReservedName, usernameHash } from './domain/username.ts';
import { announce } from './store/events.ts';
import { createUser, findByName } from './store/users.ts';

/** The configured admin is there when this resolves, whoever made it. */
export async function makeFirstAdmin(context: AuthContext, settings: AuthConfig['firstAdmin']): Promise<void> {
  // Read in any case, so that where accounts are kept has been reached before we are ready.
  await context.accounts.keys();
  await ensureFirstAdmin(context, settings).catch((error: unknown) => {
    // Another replica may have been faster; anything else must be seen.
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
    context.log.info(`first admin: ${error.message}`);
  });
}

/** Makes the configured admin, verified, unless that name was ever taken; an existing account is left as it is. */
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
  // The operator's own choice, and nothing would run without it.
  if (isStolen(settings.password)) context.log.warn('ADMIN_PASSWORD is in lists of stolen passwords: change it soon');
  const now = context.now();
  const { password, email } = settings;
  const made = await context.accounts.make({ username, email, password, admin: true, verified: true });
  const written = context.transaction(async (tx) => {
    const user = await createUser(tx, {
      id: made.id,
      username,
      email,
      passwordHash: made.passwordHash,
      admin: true,
      verified: true,
      createdAt: now,
      verificationSentAt: null,
    });
    await announce(tx, user.id, 'REGISTERED');
    const entry = { action: 'user.first_admin_made', subjectKind: 'user', subjectId: user.id };
    await audit(tx, { kind: 'service', name: 'auth' }, entry, now);
  });
  await written.catch(async (error: unknown) => {
    await made.discard();
    throw error;
  });
  context.log.info(`the first admin ${username} has been created`);
}
