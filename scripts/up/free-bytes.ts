import { statfsSync } from 'node:fs';

/** Returns the free space of a folder's disk for a user without privileges. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
