import type { Db } from './database.ts';

type Key = Uint8Array<ArrayBuffer>;

const dayMs = 24 * 3_600_000;

/** Returns whether a network was seen within a day, so that it need not be saved again. */
export const isRecent = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && now.getTime() - seenAt.getTime() < dayMs;

/** Remembers that a name was signed in from a network, for 90 days. */
export async function saveKnownNetwork(tx: Db, key: Key, now: Date): Promise<void> {
  await tx.knownPlace.upsert({ where: { key }, update: { seenAt: now }, create: { key, seenAt: now } });
}
