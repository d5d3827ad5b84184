import { prepared, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import type { Db } from './database.ts';

type Key = Uint8Array<ArrayBuffer>;

/** Whether the name was signed in from this network within 90 days. SQL, since floods of sign-ins run it for each request. */
export async function isKnownNetwork(pool: pg.Pool, key: Key): Promise<boolean> {
  const statement = sql`SELECT 1 FROM known_places WHERE key = ${Buffer.from(key)}`;
  const { rowCount } = await pool.query(prepared('known-place', statement));
  return rowCount === 1;
}

export async function saveKnownNetwork(tx: Db, key: Key, now: Date): Promise<void> {
  await tx.knownPlace.upsert({ where: { key }, update: { seenAt: now }, create: { key, seenAt: now } });
}
