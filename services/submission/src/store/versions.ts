import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { BotVersion, PrismaClient } from '../generated/client.ts';

/** Number of versions kept for a user in addition to those of its submissions. */
export const keptVersions = 20;

/**
 * Records that a user uploads or tests a bot, and deletes the user's versions beyond the newest `keptVersions` that no submission
 * of the user has. The bot must be stored. Does nothing for a deleted user.
 */
export async function recordVersion(client: pg.ClientBase, userId: string, botHash: string): Promise<void> {
  await client.query(
    sql`INSERT INTO bot_versions (user_id, bot_hash) SELECT ${userId}, ${botHash}
        WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = ${userId})
        ON CONFLICT (user_id, bot_hash) DO UPDATE SET last_used_at = now()`,
  );
  await client.query(
    sql`DELETE FROM bot_versions v WHERE user_id = ${userId}
          AND bot_hash NOT IN (SELECT bot_hash FROM bot_versions WHERE user_id = ${userId}
            ORDER BY last_used_at DESC, bot_hash LIMIT ${keptVersions})
          AND NOT EXISTS (SELECT FROM submissions s WHERE s.user_id = v.user_id AND s.bot_hash = v.bot_hash)`,
  );
}

/** Deletes a version of a user unless one of the user's submissions has it. Idempotent. */
export async function deleteVersion(client: pg.ClientBase, userId: string, botHash: string): Promise<void> {
  await client.query(
    sql`DELETE FROM bot_versions v WHERE user_id = ${userId} AND bot_hash = ${botHash}
          AND NOT EXISTS (SELECT FROM submissions s WHERE s.user_id = v.user_id AND s.bot_hash = v.bot_hash)`,
  );
}

export function findVersion(prisma: PrismaClient, userId: string, botHash: string): Promise<BotVersion | null> {
  return prisma.botVersion.findUnique({ where: { userId_botHash: { userId, botHash } } });
}

/** Returns the user's newest version that was first used before this one; null if none is stored. */
export function findPreviousVersion(prisma: PrismaClient, version: BotVersion): Promise<BotVersion | null> {
  return prisma.botVersion.findFirst({
    where: { userId: version.userId, firstUsedAt: { lt: version.firstUsedAt } },
    orderBy: { firstUsedAt: 'desc' },
  });
}
