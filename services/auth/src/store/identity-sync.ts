import { userChanged } from '@husky/contracts/events';
import { prepared, sql } from '@husky/runtime/database/sql';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { audit } from '../audit/audit.ts';
import { invalidToken } from '../domain/access-tokens.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { isReservedName, isStaffName, isUsername, usernameHash, usernameKey } from '../domain/username.ts';
import type { Prisma, User } from '../generated/client.ts';
import type { Db } from './database.ts';
import { revokeLinks } from './mail-links.ts';
import { callerOf, type UserRow, updateUser, userColumns } from './users.ts';

/** A user as the identity service describes them now. */
export interface ExternalIdentity {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly admin: boolean;
}

const authService = { kind: 'service', name: 'auth' } as const;

function nameUnusable(): DomainError {
  const message =
    'The username of your single sign-on account cannot be used here: it has been taken before or is reserved. Ask its administrator for another name';
  return new DomainError('PERMISSION_DENIED', 'name-unusable', message);
}

/** Returns the address, or null when our rules reject it and no mail could be sent to it. */
function mailableAddress(email: string | null): string | null {
  if (email === null) return null;
  try {
    return email.endsWith('@localhost') ? email : checkEmail(email);
  } catch {
    return null;
  }
}

const keyOf = (email: string | null) => (email === null ? null : emailKey(email));

/** Finds a user's row by id. SQL, since it runs for every request of the platform and must be one round trip. */
export async function findUserRow(pool: pg.Pool, id: string): Promise<UserRow | undefined> {
  const statement = sql`SELECT ${userColumns} FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL`;
  const { rows } = await pool.query<UserRow>(prepared('user-by-id', statement));
  return rows[0];
}

/** Whether a row mirrors the identity. Ignores case: Keycloak stores lower case, the row keeps the case that the user typed. */
export function matchesIdentity(row: UserRow, identity: ExternalIdentity): boolean {
  return (
    row.usernameKey === usernameKey(identity.username) &&
    row.emailKey === keyOf(mailableAddress(identity.email)) &&
    row.verified === identity.verified &&
    row.admin === identity.admin
  );
}

/** Creates or updates the row that mirrors an identity, with events and audit records. Serialised per user by an advisory lock. */
export async function syncIdentity(tx: Db, identity: ExternalIdentity, now: Date): Promise<User> {
  await tx.$queryRaw(sql`SELECT pg_advisory_xact_lock(hashtext(${`husky.auth.sight.${identity.id}`}))::text`);
  const row = await tx.user.findUnique({ where: { id: identity.id } });
  if (row?.deletedAt) throw invalidToken();
  const email = await claimAddress(tx, identity, mailableAddress(identity.email));
  if (!row) return createFromIdentity(tx, identity, email, now);
  const change: Prisma.UserUpdateInput = {};
  if (row.usernameKey !== usernameKey(identity.username)) {
    await claimName(tx, identity, now);
    Object.assign(change, { username: identity.username, usernameKey: usernameKey(identity.username) });
  }
  const emailChanged = row.emailKey !== keyOf(email);
  if (emailChanged) Object.assign(change, { email, emailKey: keyOf(email) });
  if (row.verified !== identity.verified) change.verified = identity.verified;
  if (row.admin !== identity.admin) change.admin = identity.admin;
  if (Object.keys(change).length === 0) return row;

  const user = await updateUser(tx, row.id, change);
  // Links sent to the old address prove nothing about the new one.
  if (emailChanged) await revokeLinks(tx, user.id, ['verify', 'reset', 'change-email'], now);
  await recordChanges(tx, row, user, now);
  return user;
}

async function createFromIdentity(tx: Db, identity: ExternalIdentity, email: string | null, now: Date): Promise<User> {
  await claimName(tx, identity, now);
  const { id, username, admin, verified } = identity;
  const user = await tx.user.create({
    data: {
      id,
      username,
      usernameKey: usernameKey(username),
      email,
      emailKey: keyOf(email),
      admin,
      verified,
      createdAt: now,
    },
  });
  await emit(tx, userChanged, { userId: user.id, change: 'REGISTERED' });
  await audit(tx, callerOf(user), { action: 'user.registered', subjectKind: 'user', subjectId: user.id }, now);
  return user;
}

async function claimName(tx: Db, { username, admin }: ExternalIdentity, now: Date): Promise<void> {
  // A realm may let people register themselves; who is an admin there may be called one.
  if (!isUsername(username) || isReservedName(username) || (!admin && isStaffName(username))) throw nameUnusable();
  const claim = { nameHash: usernameHash(username), createdAt: now };
  const { count } = await tx.nameClaim.createMany({ data: [claim], skipDuplicates: true });
  if (count === 0) throw nameUnusable();
}

/**
 * Returns the address, or null when an account of the mode `own` has it. Addresses are unique in Keycloak, so another
 * mirrored row with the same address is outdated; its address is cleared.
 */
async function claimAddress(tx: Db, identity: ExternalIdentity, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const holder = await tx.user.findUnique({ where: { emailKey: emailKey(email) } });
  if (!holder || holder.id === identity.id) return email;
  if (holder.passwordHash !== null) return null;
  await updateUser(tx, holder.id, { email: null, emailKey: null });
  return email;
}

async function recordChanges(tx: Db, before: User, after: User, now: Date): Promise<void> {
  const subject = { subjectKind: 'user', subjectId: after.id };
  const record = (action: string, entry: object) => audit(tx, authService, { action, ...subject, ...entry }, now);
  if (before.admin !== after.admin) {
    await emit(tx, userChanged, { userId: after.id, change: 'ROLE' });
    await record('user.role_changed', { before: { admin: before.admin }, after: { admin: after.admin } });
  }
  if (before.verified !== after.verified) {
    await emit(tx, userChanged, { userId: after.id, change: 'VERIFIED' });
    await record('user.verification_changed', {
      before: { verified: before.verified },
      after: { verified: after.verified },
    });
  }
  if (before.emailKey !== after.emailKey) await record('user.email_changed', {});
  if (before.usernameKey !== after.usernameKey) {
    // Without the names: the audit log outlives an account.
    await record('user.renamed', {});
  }
  if (before.emailKey !== after.emailKey || before.usernameKey !== after.usernameKey)
    await emit(tx, userChanged, { userId: after.id, change: 'UPDATED' });
}
