import { DomainError } from '@husky/runtime/errors';
import type pg from 'pg';
import { audit } from '../audit/audit.ts';
import { invalidToken } from '../domain/access-tokens.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { isReservedName, isUsername, usernameHash, usernameKey } from '../domain/username.ts';
import type { Prisma, User } from '../generated/client.ts';
import type { Db } from './database.ts';
import { announce } from './events.ts';
import { spendAllLinks } from './mail-tokens.ts';
import { callerOf, updateUser } from './users.ts';

/** Somebody as the identity service has just described them. */
export interface Seen {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly admin: boolean;
}

const byThemselves = { kind: 'service', name: 'auth' } as const;

function nameUnusable(): DomainError {
  const message =
    'The username of your single sign-on account cannot be used here: it has been taken before or is reserved. Please ask its administrator for another one';
  return new DomainError('PERMISSION_DENIED', 'name-unusable', message);
}

/** Addresses that our mails cannot go to are kept as none. */
function mailable(email: string | null): string | null {
  if (email === null) return null;
  try {
    return email.endsWith('@localhost') ? email : checkEmail(email);
  } catch {
    return null;
  }
}

/** A user's row by id, in one round trip: it runs for every request of the platform. */
export async function findRow(pool: pg.Pool, id: string): Promise<User | undefined> {
  const { rows } = await pool.query<User>({
    name: 'user-by-id',
    text: `SELECT id, username, username_key AS "usernameKey", email, email_key AS "emailKey", name, github,
      discord_username AS "discordUsername", about, admin, verified, house, created_at AS "createdAt"
      FROM users WHERE id = $1 AND deleted_at IS NULL`,
    values: [id],
  });
  return rows[0];
}

/** Whether a row says what has been seen; the case of names and addresses is ours. */
export function agrees(row: User, seen: Seen): boolean {
  return (
    row.usernameKey === usernameKey(seen.username) &&
    row.emailKey === (seen.email === null ? null : emailKey(seen.email)) &&
    row.verified === seen.verified &&
    row.admin === seen.admin
  );
}

/** Makes the row of somebody at first sight, and makes it say what has been seen later; each change is told and audited. */
export async function recordSight(tx: Db, seen: Seen, now: Date): Promise<User> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext(${`husky.auth.sight.${seen.id}`}))::text`;
  const row = await tx.user.findUnique({ where: { id: seen.id } });
  if (row?.deletedAt) throw invalidToken();
  const email = await freeAddress(tx, seen, mailable(seen.email));
  if (!row) return firstSight(tx, seen, email, now);
  const change: Prisma.UserUpdateInput = {};
  if (row.usernameKey !== usernameKey(seen.username)) {
    await claimName(tx, seen.username, now);
    Object.assign(change, { username: seen.username, usernameKey: usernameKey(seen.username) });
  }
  const moved = row.emailKey !== (email === null ? null : emailKey(email));
  if (moved) Object.assign(change, { email, emailKey: email === null ? null : emailKey(email) });
  if (row.verified !== seen.verified) change.verified = seen.verified;
  if (row.admin !== seen.admin) change.admin = seen.admin;
  if (Object.keys(change).length === 0) return row;

  const user = await updateUser(tx, row.id, change);
  // A link to the address of before proves nothing about the new one.
  if (moved)
    for (const purpose of ['verify', 'reset', 'change-email'] as const) await spendAllLinks(tx, user.id, purpose, now);
  await tellChanges(tx, row, user, now);
  return user;
}

async function firstSight(tx: Db, seen: Seen, email: string | null, now: Date): Promise<User> {
  await claimName(tx, seen.username, now);
  const { id, username, admin, verified } = seen;
  const user = await tx.user.create({
    data: {
      ...{ id, username, usernameKey: usernameKey(username), email, emailKey: email === null ? null : emailKey(email) },
      ...{ admin, verified, createdAt: now },
    },
  });
  await announce(tx, user.id, 'REGISTERED');
  await audit(tx, callerOf(user), { action: 'user.registered', subjectKind: 'user', subjectId: user.id }, now);
  return user;
}

async function claimName(tx: Db, username: string, now: Date): Promise<void> {
  if (!isUsername(username) || isReservedName(username)) throw nameUnusable();
  const claim = { nameHash: usernameHash(username), createdAt: now };
  const { count } = await tx.nameClaim.createMany({ data: [claim], skipDuplicates: true });
  if (count === 0) throw nameUnusable();
}

/**
 * The address, unless an account of our own from another time has it. The identity service gives one to one user only,
 * so whoever else follows it has given theirs up and not been seen since.
 */
async function freeAddress(tx: Db, seen: Seen, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const holder = await tx.user.findUnique({ where: { emailKey: emailKey(email) } });
  if (!holder || holder.id === seen.id) return email;
  if (holder.passwordHash !== null) return null;
  await updateUser(tx, holder.id, { email: null, emailKey: null });
  return email;
}

async function tellChanges(tx: Db, before: User, after: User, now: Date): Promise<void> {
  const subject = { subjectKind: 'user', subjectId: after.id };
  const tell = (action: string, entry: object) => audit(tx, byThemselves, { action, ...subject, ...entry }, now);
  if (before.admin !== after.admin) {
    await announce(tx, after.id, 'ROLE');
    await tell('user.role_changed', { before: { admin: before.admin }, after: { admin: after.admin } });
  }
  if (before.verified !== after.verified) {
    await announce(tx, after.id, 'VERIFIED');
    await tell('user.verification_changed', {
      before: { verified: before.verified },
      after: { verified: after.verified },
    });
  }
  if (before.emailKey !== after.emailKey) await tell('user.email_changed', {});
  if (before.usernameKey !== after.usernameKey) {
    await tell('user.renamed', { before: { username: before.username }, after: { username: after.username } });
  }
  if (before.emailKey !== after.emailKey || before.usernameKey !== after.usernameKey)
    await announce(tx, after.id, 'UPDATED');
}
