import { randomUUID } from 'node:crypto';
import { prepared, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { NewApiToken } from '../domain/api-token.ts';
import type { ApiToken } from '../generated/client.ts';
import type { Db } from './database.ts';

/** A token as its user may see it. */
export type PublicToken = Omit<ApiToken, 'requestKey' | 'requestDigest' | 'requestSalt'>;

/**
 * Stores a token, or returns the one that a request with the same key has created. Returns undefined when its user already has `max` valid
 * ones or is deleted. Serialised per user by a row lock.
 */
export async function createToken(
  tx: Db,
  token: NewApiToken & Pick<ApiToken, 'userId' | 'tokenHash' | 'requestKey' | 'requestDigest' | 'requestSalt'>,
  max: number,
  now: Date,
): Promise<ApiToken | undefined> {
  const { userId, requestKey } = token;
  const users = await tx.$queryRaw<object[]>(sql`
    SELECT 1 AS one FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL FOR UPDATE`);
  const earlier = requestKey === null ? null : await tx.apiToken.findUnique({ where: { requestKey } });
  if (earlier) return earlier;
  const valid = await tx.apiToken.count({ where: { userId, revokedAt: null, expiresAt: { gt: now } } });
  if (users.length === 0 || valid >= max) return undefined;
  return tx.apiToken.create({ data: { ...token, id: randomUUID(), createdAt: now } });
}

/** Returns a user's tokens except revoked ones, newest first. */
export function listTokens(db: Db, userId: string): Promise<ApiToken[]> {
  return db.apiToken.findMany({
    where: { userId, revokedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
}

/** Revokes a user's valid tokens: all, or only one. Returns how many. */
export async function revokeTokens(tx: Db, userId: string, now: Date, only?: string): Promise<number> {
  const { count } = await tx.apiToken.updateMany({
    where: { userId, revokedAt: null, ...(only === undefined ? {} : { id: only }) },
    data: { revokedAt: now },
  });
  return count;
}

/** Finds a token by its hash. SQL, since it runs for the requests of programs and must be one round trip. */
export async function findToken(pool: pg.Pool, tokenHash: Uint8Array): Promise<PublicToken | undefined> {
  const statement = sql`SELECT id, user_id AS "userId", name, scopes, created_at AS "createdAt",
      expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
    FROM api_tokens WHERE token_hash = ${Buffer.from(tokenHash)}`;
  const { rows } = await pool.query<PublicToken>(prepared('token-by-hash', statement));
  return rows[0];
}

const useMs = 60_000;

/** Whether the recorded last use is a minute old, so that recordUse would write. */
export function isLastUseOutdated({ lastUsedAt }: Pick<ApiToken, 'lastUsedAt'>, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= useMs;
}

/** Records that a token was used. Writes at most once a minute for a token. */
export async function recordUse(db: Db, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - useMs);
  await db.apiToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}
