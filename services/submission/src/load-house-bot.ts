import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { type CheckedBot, readBotFiles } from './domain/bot-files.ts';
import type { BotCheck } from './programs/bot-check.ts';
import { putBot } from './store/bots.ts';

/** Reads the house bot from its folder, checks it like an upload and stores it. Idempotent. */
export async function loadHouseBot(pool: pg.Pool, folder: string, botCheck: BotCheck): Promise<CheckedBot> {
  const [player, requirements] = await Promise.all(
    ['player.py', 'requirements.txt'].map((name) => readFile(join(folder, name))),
  );
  if (!player || !requirements) throw new Error(`The house bot in ${folder} is incomplete`);
  const files = await botCheck.check(readBotFiles(player, requirements));
  await inTransaction(pool, (client) => putBot(client, files, true));
  return files;
}
