import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sessionSeconds } from '../domain/access-tokens.ts';
import type { Session, User } from '../generated/client.ts';
import type { Db } from './database.ts';

// An IPv6 address with a zone fits; anything else that an edge could send is not kept.
const addressPattern = /^[\w.:%-]{1,64}$/;

export function createSession(db: Db, userId: string, from: string, now: Date): Promise<Session> {
  return keepSession(db, { id: randomUUID(), userId, address: from }, now);
}

/** A session that has begun, ours or one that the identity service made for us. */
export function keepSession(
  db: Db,
  session: { readonly id: string; readonly userId: string; readonly address: string },
  now: Date,
): Promise<Session> {
  const address = addressPattern.test(session.address) ? session.address : '';
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000);
  return db.session.create({ data: { ...session, address, createdAt: now, expiresAt } });
}

/** Where the sessions that began here were begun, by their ids. */
export async function addressesOf(db: Db, userId: string): Promise<Map<string, string>> {
  const rows = await db.session.findMany({ where: { userId }, select: { id: true, address: true } });
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** Who holds a session now. In SQL by hand: it runs for every request of the platform and must be one round trip. */
export async function findHolder(
  pool: pg.Pool,
  session: { readonly sessionId: string; readonly userId: string },
  now: Date,
): Promise<User | undefined> {
  const { rows } = await pool.query<User>({
    name: 'holder-of-session',
    text: `SELECT u.id, u.username, u.username_key AS "usernameKey", u.email, u.email_key AS "emailKey", u.name, u.github,
      u.discord_username AS "discordUsername", u.about, u.admin, u.verified, u.house, u.created_at AS "createdAt"
      FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3 AND u.deleted_at IS NULL`,
    values: [session.sessionId, session.userId, now],
  });
  return rows[0];
}

/** Ends a user's sessions, or one of them, or all but one; answers how many ended. */
export async function endSessions(
  db: Db,
  userId: string,
  now: Date,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<number> {
  const id = which.only ?? (which.except === undefined ? undefined : { not: which.except });
  const { count } = await db.session.updateMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now }, ...(id === undefined ? {} : { id }) },
    data: { revokedAt: now },
  });
  return count;
}

export function listSessions(db: Db, userId: string, now: Date): Promise<Session[]> {
  return db.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
}
