import { countRows, totalOf } from '@husky/runtime/database/row-count';
import { empty, type Sql, sql } from '@husky/runtime/database/sql';
import type { Page } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import type { Prisma } from '../generated/client.ts';
import type { Db } from './database.ts';
import { type UserRow, userColumns } from './users.ts';

export type UserStatus = '' | 'admin' | 'verified' | 'unverified';

export interface DirectoryQuery extends Page {
  /** Part of a username or a name; empty matches everybody. */
  readonly q: string;
  readonly status: UserStatus;
}

const statusIs: Record<UserStatus, Sql> = {
  '': empty,
  admin: sql`AND u.admin`,
  verified: sql`AND u.verified`,
  unverified: sql`AND NOT u.verified`,
};

/** Returns a page of users ordered by name, without the house account and deleted users. */
export async function listUsers(
  pool: pg.Pool,
  { q, status, skip, take }: DirectoryQuery,
): Promise<{ users: UserRow[]; total: number }> {
  const part = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = q === '' ? empty : sql`AND (u.username_key LIKE ${part.toLowerCase()} OR u.name ILIKE ${part})`;
  const people = sql`FROM users u WHERE u.deleted_at IS NULL AND NOT u.house ${statusIs[status]} ${found}`;
  const { rows: users } = await pool.query<UserRow>(
    sql`SELECT ${userColumns} ${people} ORDER BY u.username_key LIMIT ${take} OFFSET ${skip}`,
  );
  return {
    users,
    total: await totalOf({ skip, onPage: users.length, pageSize: take }, () =>
      countRows(pool, sql`SELECT count(*)::int AS total ${people}`),
    ),
  };
}

export async function countUsers(db: Db): Promise<{ all: number; verified: number }> {
  const people: Prisma.UserWhereInput = { deletedAt: null, house: false };
  const [all, verified] = await Promise.all([
    db.user.count({ where: people }),
    db.user.count({ where: { ...people, verified: true } }),
  ]);
  return { all, verified };
}

export interface NameRow {
  readonly id: string;
  readonly username: string;
  readonly deletedAt: Date | null;
  readonly house: boolean;
  readonly verified: boolean;
}

const nameColumns = { id: true, username: true, deletedAt: true, house: true, verified: true } as const;

/** Finds names by id, deleted accounts included. */
export function findNamesById(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.user.findMany({ where: { id: { in: [...ids] } }, select: nameColumns });
}

/** Finds names by their keys, without deleted accounts. */
export function findNamesByKey(db: Db, usernameKeys: readonly string[]): Promise<NameRow[]> {
  return db.user.findMany({
    where: { usernameKey: { in: [...usernameKeys] }, deletedAt: null },
    select: nameColumns,
  });
}
