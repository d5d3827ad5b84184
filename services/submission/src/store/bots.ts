import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { CheckedBot } from '../domain/bot-files.ts';
import type { BotVersion, PrismaClient } from '../generated/client.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Stores a bot and its two files, each content once. Touches rows that exist: this locks them until the transaction ends and
 * protects them from garbage collection for an hour.
 */
export async function putBot(client: pg.ClientBase, files: CheckedBot, isHouseBot = false): Promise<void> {
  const blobs = [
    { hash: files.playerHash, bytes: files.player },
    { hash: files.requirementsFileHash, bytes: files.requirementsFile },
  ].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const { hash, bytes } of blobs) {
    const touched = await client.query(sql`UPDATE blobs SET touched_at = now() WHERE hash = ${hash}`);
    if (touched.rowCount === 1) continue;
    await client.query(
      sql`INSERT INTO blobs (hash, size_bytes, data) VALUES (${hash}, ${bytes.length}, ${await compress(bytes)})
          ON CONFLICT (hash) DO UPDATE SET touched_at = now()`,
    );
  }
  await client.query(
    sql`INSERT INTO bots (hash, player_hash, requirements_file_hash, requirements_hash, house)
        VALUES (${files.botHash}, ${files.playerHash}, ${files.requirementsFileHash}, ${files.requirements.hash},
          ${isHouseBot})
        ON CONFLICT (hash) DO UPDATE SET touched_at = now(), house = bots.house OR excluded.house`,
  );
}

export interface StoredBot {
  readonly player: Buffer;
  readonly requirementsFile: Buffer;
  readonly requirementsHash: string;
}

export async function findBot(prisma: PrismaClient, botHash: string): Promise<StoredBot | null> {
  const bot = await prisma.bot.findUnique({
    where: { hash: botHash },
    include: { player: true, requirementsFile: true },
  });
  if (!bot) return null;
  return {
    player: await decompress(bot.player.data),
    requirementsFile: await decompress(bot.requirementsFile.data),
    requirementsHash: bot.requirementsHash,
  };
}

/** Returns the content of a stored file; null if it does not exist. */
export async function findBlob(prisma: PrismaClient, hash: string): Promise<Buffer | null> {
  const blob = await prisma.blob.findUnique({ where: { hash } });
  return blob && decompress(blob.data);
}

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
