import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { BotFiles } from '../domain/bot-files.ts';
import { putBot } from './bots.ts';

export interface Pin {
  readonly userId: string;
  readonly botHash: string;
  readonly requirementsHash: string;
}

/** Stores a bot and holds it for a job or a batch until its pins are released. */
export async function pinBot(pool: pg.Pool, holderId: string, userId: string, files: BotFiles): Promise<Pin> {
  await inTransaction(pool, async (client) => {
    await putBot(client, files);
    await insertPin(client, holderId, userId, files.botHash);
  });
  return { userId, botHash: files.botHash, requirementsHash: files.requirements.hash };
}

/** Pins the users' final submissions, all or none; users without one are told instead. */
export function pinFinals(
  pool: pg.Pool,
  holderId: string,
  userIds: readonly string[],
): Promise<{ pins: Pin[]; missing: string[] }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ user_id: string; bot_hash: string; requirements_hash: string }>(
      `SELECT s.user_id, s.bot_hash, b.requirements_hash FROM submissions s JOIN bots b ON b.hash = s.bot_hash
       WHERE s.final AND s.user_id = ANY($1::uuid[]) FOR SHARE OF s`,
      [userIds],
    );
    const finals = new Map(rows.map((row) => [row.user_id, row]));
    const missing = userIds.filter((id) => !finals.has(id));
    if (missing.length > 0) return { pins: [], missing };
    const pins: Pin[] = [];
    for (const userId of userIds) {
      const row = finals.get(userId);
      if (!row) continue;
      await insertPin(client, holderId, userId, row.bot_hash);
      pins.push({ userId, botHash: row.bot_hash, requirementsHash: row.requirements_hash });
    }
    return { pins, missing };
  });
}

export async function releasePins(pool: pg.Pool, holderId: string): Promise<void> {
  await pool.query('DELETE FROM pins WHERE holder_id = $1', [holderId]);
}

async function insertPin(client: pg.ClientBase, holderId: string, userId: string, botHash: string): Promise<void> {
  await client.query('INSERT INTO pins (holder_id, user_id, bot_hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    holderId,
    userId,
    botHash,
  ]);
}
