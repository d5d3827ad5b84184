import type pg from 'pg';
import type { PrismaClient } from '../generated/client.ts';
import type { Db } from './database.ts';

const keptDays = 90;

type Key = Uint8Array<ArrayBuffer>;

/** Whether somebody has signed in to the name from this network lately. In SQL by hand: a flood asks it each time. */
export async function isKnownPlace(pool: pg.Pool, key: Key): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'known-place',
    text: 'SELECT 1 FROM known_places WHERE key = $1',
    values: [Buffer.from(key)],
  });
  return rowCount === 1;
}

export async function rememberPlace(tx: Db, key: Key, now: Date): Promise<void> {
  await tx.knownPlace.upsert({ where: { key }, update: { seenAt: now }, create: { key, seenAt: now } });
}

export async function forgetOldPlaces(db: PrismaClient, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000);
  await db.knownPlace.deleteMany({ where: { seenAt: { lt: before } } });
}
