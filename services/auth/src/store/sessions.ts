import { prepared, type Sql, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { sessionSeconds } from '../domain/access-tokens.ts';
import type { Session } from '../generated/client.ts';
import type { Db } from './database.ts';
import { type UserRow, userColumns } from './users.ts';

// Fits an IPv6 address with a zone; anything else is stored as ''.
const addressPattern = /^[\w.:%-]{1,64}$/;

/** SQL that stores a session which starts now: ours, or one that Keycloak created. */
export function sessionInsert(
  { id, userId, address }: { readonly id: string; readonly userId: string; readonly address: string },
  now: Date,
): Sql {
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000);
  return sql`INSERT INTO sessions (id, user_id, address, created_at, expires_at)
    VALUES (${id}::uuid, ${userId}::uuid, ${addressPattern.test(address) ? address : ''}, ${now}, ${expiresAt})`;
}

/** Returns the client addresses of a user's stored sessions by session id. */
export async function addressesOf(db: Db, userId: string): Promise<Map<string, string>> {
  const rows = await db.session.findMany({ where: { userId }, select: { id: true, address: true } });
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** Finds the user of an open session. SQL, since it runs for every request of the platform and must be one round trip. */
export async function findSessionUser(
  pool: pg.Pool,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: Date,
): Promise<UserRow | undefined> {
  const statement = sql`SELECT ${userColumns} FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = ${sessionId} AND s.user_id = ${userId} AND s.revoked_at IS NULL AND s.expires_at > ${now}
      AND u.deleted_at IS NULL`;
  const { rows } = await pool.query<UserRow>(prepared('user-of-session', statement));
  return rows[0];
}

/** Ends open sessions of a user: all, only one, or all except one. Returns how many ended. */
export async function endSessions(
  db: Db,
  userId: string,
  now: Date,
  { only, except }: { readonly only?: string; readonly except?: string } = {},
): Promise<number> {
  const id = only ?? (except === undefined ? undefined : { not: except });
  const { count } = await db.session.updateMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now }, ...(id === undefined ? {} : { id }) },
    data: { revokedAt: now },
  });
  return count;
}

/** Returns a user's open sessions, newest first. */
export function listSessions(db: Db, userId: string, now: Date): Promise<Session[]> {
  return db.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
}
