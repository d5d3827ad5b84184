import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { CheckedBot } from '../domain/bot-files.ts';
import type { PrismaClient } from '../generated/client.ts';

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
