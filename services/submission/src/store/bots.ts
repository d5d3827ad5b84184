import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import type { BotFiles } from '../domain/bot-files.ts';
import type { PrismaClient } from '../generated/client.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Stores a bot's two files, each once by content. Touching what is there already holds its row until the transaction
 * ends and keeps it from the garbage collector's next hour.
 */
export async function putBot(client: pg.ClientBase, files: BotFiles, house = false): Promise<void> {
  const blobs = [
    { hash: files.playerHash, bytes: files.player },
    { hash: files.requirementsFileHash, bytes: files.requirementsFile },
  ].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const { hash, bytes } of blobs) {
    const touched = await client.query('UPDATE blobs SET touched_at = now() WHERE hash = $1', [hash]);
    if (touched.rowCount === 1) continue;
    await client.query(
      `INSERT INTO blobs (hash, size_bytes, data) VALUES ($1, $2, $3)
       ON CONFLICT (hash) DO UPDATE SET touched_at = now()`,
      [hash, bytes.length, await compress(bytes)],
    );
  }
  await client.query(
    `INSERT INTO bots (hash, player_hash, requirements_file_hash, requirements_hash, house)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (hash) DO UPDATE SET touched_at = now(), house = bots.house OR excluded.house`,
    [files.botHash, files.playerHash, files.requirementsFileHash, files.requirements.hash, house],
  );
}

export interface StoredBot {
  readonly player: Buffer;
  readonly requirementsFile: Buffer;
  readonly requirementsHash: string;
}

export async function getBot(prisma: PrismaClient, botHash: string): Promise<StoredBot | null> {
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

export async function getBlob(prisma: PrismaClient, hash: string): Promise<Buffer | null> {
  const blob = await prisma.blob.findUnique({ where: { hash } });
  return blob && decompress(blob.data);
}
