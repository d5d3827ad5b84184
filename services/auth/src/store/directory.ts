import type { Prisma, User } from '../generated/client.ts';
import type { Db } from './database.ts';

export interface DirectoryQuery {
  /** Part of a username or a name; empty matches everybody. */
  readonly q: string;
  readonly where: Prisma.UserWhereInput;
  readonly page: number;
  readonly pageSize: number;
}

/** Returns a page of people ordered by name, without the house account and deleted ones. */
export async function listUsers(db: Db, query: DirectoryQuery): Promise<{ users: User[]; total: number }> {
  const part = query.q.replaceAll(/[\\%_]/g, '\\$&');
  const where: Prisma.UserWhereInput = { AND: [{ deletedAt: null, house: false }, query.where] };
  if (part !== '') {
    where.OR = [{ usernameKey: { contains: part.toLowerCase() } }, { name: { contains: part, mode: 'insensitive' } }];
  }
  const [users, total] = await Promise.all([
    db.user.findMany({
      where,
      orderBy: { usernameKey: 'asc' },
      skip: (query.page - 1) * query.pageSize,
      take: query.pageSize,
    }),
    db.user.count({ where }),
  ]);
  return { users, total };
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
}

const nameColumns = { id: true, username: true, deletedAt: true, house: true } as const;

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
