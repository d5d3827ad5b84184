import type { Db } from './database.ts';

type Key = Uint8Array<ArrayBuffer>;

/** Remembers that a name was signed in from a network, for 90 days. */
export async function saveKnownNetwork(tx: Db, key: Key, now: Date): Promise<void> {
  await tx.knownPlace.upsert({ where: { key }, update: { seenAt: now }, create: { key, seenAt: now } });
}
