import { byField } from '@husky/contracts/profile-fields';
import { raw, sql } from '@husky/runtime/database/sql';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { emailKey, emailTaken } from '../domain/email.ts';
import {
  isUsername,
  type Profile,
  userNotFound,
  usernameHash,
  usernameKey,
  usernameTaken,
} from '../domain/username.ts';
import { Prisma, type User } from '../generated/client.ts';
import type { Db } from './database.ts';

export interface NewUser extends Partial<Profile> {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly admin: boolean;
  readonly verified: boolean;
  readonly createdAt: Date;
  readonly verificationSentAt: Date | null;
}

const columnOf = {
  id: 'id',
  username: 'username',
  usernameKey: 'username_key',
  email: 'email',
  emailKey: 'email_key',
  ...byField((_field, column) => column),
  admin: 'admin',
  verified: 'verified',
  house: 'house',
  createdAt: 'created_at',
} as const satisfies Partial<Record<keyof User, string>>;

/** A user as SQL on hot paths reads it: without the password's hash and the times of mails. */
export type UserRow = Pick<User, keyof typeof columnOf>;

/** The columns of UserRow, by its names; table alias `u`. */
export const userColumns = raw(
  Object.entries(columnOf)
    .map(([field, column]) => `u.${column} AS "${field}"`)
    .join(', '),
);

/** Returns the user as the caller of an action, for calls that a mailed link or a password authorises. */
export function callerOf({ id, username, admin, verified }: UserRow): UserCaller {
  return { kind: 'user', id, username, admin, verified };
}

/** Finds an account by its name, ignoring case. Deleted accounts are not found. */
export async function findByName(db: Db, username: string): Promise<User | null> {
  if (!isUsername(username)) return null;
  return db.user.findFirst({ where: { usernameKey: usernameKey(username), deletedAt: null } });
}

export function findById(db: Db, id: string): Promise<User | null> {
  return db.user.findFirst({ where: { id, deletedAt: null } });
}

export function findByEmail(db: Db, email: string): Promise<User | null> {
  return db.user.findFirst({ where: { emailKey: emailKey(email), deletedAt: null } });
}

/** Throws ALREADY_EXISTS for a taken name or address. createUser checks again, for concurrent calls. */
export async function checkFree(db: Db, username: string, email: string): Promise<void> {
  const [claim, holder] = await Promise.all([
    db.nameClaim.findUnique({ where: { nameHash: usernameHash(username) } }),
    db.user.findUnique({ where: { emailKey: emailKey(email) }, select: { id: true } }),
  ]);
  if (claim) throw usernameTaken();
  if (holder) throw emailTaken();
}

/** Claims the name for good and creates the account. Throws ALREADY_EXISTS for a taken name or address. */
export async function createUser(tx: Db, user: NewUser): Promise<User> {
  const claim = { nameHash: usernameHash(user.username), createdAt: user.createdAt };
  const { count } = await tx.nameClaim.createMany({ data: [claim], skipDuplicates: true });
  if (count === 0) throw usernameTaken();
  try {
    return await tx.user.create({
      data: { ...user, usernameKey: usernameKey(user.username), emailKey: emailKey(user.email) },
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw emailTaken();
    throw error;
  }
}

/** Changes an account. Throws NOT_FOUND when it has been deleted. */
export async function updateUser(db: Db, id: string, data: Prisma.UserUpdateInput): Promise<User> {
  try {
    return await db.user.update({ where: { id, deletedAt: null }, data });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') throw userNotFound();
    throw error;
  }
}

/** Sets a new, verified address. Throws ALREADY_EXISTS for a taken one. */
export async function changeEmailAddress(tx: Db, id: string, email: string): Promise<User> {
  try {
    return await updateUser(tx, id, { email, emailKey: emailKey(email), verified: true });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw emailTaken();
    throw error;
  }
}

/** Rate limits mails of a kind by compare-and-set: returns false when the last one was sent less than `pauseMs` ago. */
export async function claimMailSlot(
  db: Db,
  userId: string,
  field: 'verificationSentAt' | 'resetSentAt' | 'emailChangeSentAt',
  now: Date,
  pauseMs: number,
): Promise<boolean> {
  const before = new Date(now.getTime() - pauseMs);
  const { count } = await db.user.updateMany({
    where: { id: userId, deletedAt: null, OR: [{ [field]: null }, { [field]: { lte: before } }] },
    data: { [field]: now },
  });
  return count === 1;
}

/** Takes the advisory lock on role changes and deletions until the transaction ends, so that one admin always remains. */
export async function lockRoles(tx: Db): Promise<void> {
  await tx.$executeRaw(sql`SELECT pg_advisory_xact_lock(hashtext('husky.auth.roles'))`);
}

export function countOtherAdmins(tx: Db, userId: string): Promise<number> {
  return tx.user.count({ where: { admin: true, deletedAt: null, id: { not: userId } } });
}
