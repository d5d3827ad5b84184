import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backupNames, manifestName, readManifest, tarName, unfinished } from './base-backup.ts';
import type { FileBucket } from './base-bucket.ts';
import { isBefore, listSegments, parseManifest } from './base-manifest.ts';
import { CannotBackUp } from './manifest.ts';

// Keys: <server>/base/<backup>/<file> and <server>/wal/<segment>. <server> is PostgreSQL's system identifier, because segments of different
// servers have the same names.
const serverOf = (backup: string) => readManifest(backup).systemIdentifier ?? 'unknown';
const baseKeys = (server: string) => `${server}/base/`;
const walKeys = (server: string) => `${server}/wal/`;

/** Sizes of objects in bytes, by key. */
type Sizes = ReadonlyMap<string, number>;

/** Returns the objects whose keys begin with `start`, by the rest of their keys. */
const objectsIn = (objects: Sizes, start: string): Map<string, number> =>
  new Map(
    [...objects].filter(([key]) => key.startsWith(start)).map(([key, bytes]) => [key.slice(start.length), bytes]),
  );

/** Returns the names of the complete backups of a server, oldest first. A backup is complete with its manifest. */
const completeBackups = (objects: Sizes, server: string): string[] =>
  [...objectsIn(objects, baseKeys(server)).keys()]
    .flatMap((key) => (key.endsWith(`/${manifestName}`) ? [key.slice(0, -manifestName.length - 1)] : []))
    .sort();

export interface CopyOptions {
  readonly bucket: FileBucket;
  /** Folder of the base backups. */
  readonly folder: string;
  /** Folder of the archived write-ahead log; undefined: only the base backups are copied. */
  readonly walFolder?: string | undefined;
  /** Number of backups to keep in the bucket, at least 1. */
  readonly keep: number;
  /** Called for each file that was copied or deleted, with its key. */
  readonly onChange?: ((change: 'copied' | 'deleted', key: string) => void) | undefined;
}

/**
 * Copies finished base backups and archived segments that are not in the bucket yet. Then deletes all but the newest `keep` backups of this
 * server from the bucket, and the segments that none of these needs. Files that are only in the bucket stay there: the volume may be new.
 */
export async function copyToBucket({ bucket, folder, walFolder, keep, onChange }: CopyOptions): Promise<void> {
  const names = existsSync(folder) ? backupNames(folder).slice(-keep) : [];
  const [oldest, newest] = [names[0], names.at(-1)];
  // Without a backup, the write-ahead log is useless.
  if (oldest === undefined || newest === undefined) return;
  const server = serverOf(join(folder, newest));
  const existing = await bucket.list(`${server}/`);
  const upload = async (key: string, path: string) => {
    if (existing.has(key)) return;
    try {
      await bucket.upload(key, path);
    } catch (error) {
      // It was too old and has been removed meanwhile.
      if (!existsSync(path)) return;
      throw error;
    }
    onChange?.('copied', key);
  };
  if (walFolder !== undefined && existsSync(walFolder)) {
    const segments = listSegments(walFolder);
    const isOld = isBefore(readManifest(join(folder, oldest)), segments);
    // In order, so that there is never a gap.
    for (const name of segments.keys()) if (!isOld(name)) await upload(walKeys(server) + name, join(walFolder, name));
  }
  for (const name of names.filter((backup) => serverOf(join(folder, backup)) === server)) {
    for (const file of [tarName, manifestName]) {
      await upload(`${baseKeys(server)}${name}/${file}`, join(folder, name, file));
    }
  }
  for (const key of await findOld(bucket, server, keep)) {
    await bucket.delete(key);
    onChange?.('deleted', key);
  }
}

/** Returns the keys of old backups and of segments before the first remaining backup, in the order in which they can be deleted. */
async function findOld(bucket: FileBucket, server: string, keep: number): Promise<string[]> {
  const objects = await bucket.list(`${server}/`);
  const [oldest] = completeBackups(objects, server).slice(-keep);
  if (oldest === undefined) return [];
  const files = [...objectsIn(objects, baseKeys(server)).keys()].filter((key) => (key.split('/')[0] ?? '') < oldest);
  // The manifests first: without it, a backup is not complete.
  files.sort((a, b) => Number(b.endsWith(manifestName)) - Number(a.endsWith(manifestName)));
  const segments = objectsIn(objects, walKeys(server));
  const isOld = isBefore(parseManifest(await bucket.read(`${baseKeys(server)}${oldest}/${manifestName}`)), segments);
  return [
    ...files.map((file) => baseKeys(server) + file),
    ...[...segments.keys()].filter(isOld).map((name) => walKeys(server) + name),
  ];
}

export interface FetchOptions {
  readonly bucket: FileBucket;
  /** Name of the backup; undefined: the newest one. */
  readonly backup?: string | undefined;
  /** Folder of base backups, which gets a folder for this one. */
  readonly folder: string;
  /** Folder for the write-ahead log since the backup; undefined: none is downloaded. */
  readonly walFolder?: string | undefined;
  /** Called for each downloaded file, with its key. */
  readonly onFile?: ((key: string) => void) | undefined;
}

/** Downloads a backup from the bucket with the write-ahead log since then. Returns its folder. Throws CannotBackUp if it is not complete there. */
export async function fetchFromBucket({ bucket, backup, folder, walFolder, onFile }: FetchOptions): Promise<string> {
  const objects = await bucket.list('');
  const servers = [...new Set([...objects.keys()].map((key) => key.split('/')[0] ?? ''))];
  const complete = servers.flatMap((server) => completeBackups(objects, server).map((name) => ({ server, name })));
  // The names are times.
  const found = complete
    .filter(({ name }) => backup === undefined || name === backup)
    .reduce<(typeof complete)[number] | undefined>(
      (last, next) => (last && last.name > next.name ? last : next),
      undefined,
    );
  if (found === undefined) {
    const list = complete.map(({ name }) => name).join(', ') || 'none';
    throw new CannotBackUp(`The bucket does not have the backup ${backup ?? ''}. Complete backups: ${list}.`);
  }
  const { server, name } = found;
  const target = join(folder, name);
  if (existsSync(target)) throw new CannotBackUp(`${target} exists already.`);
  const download = async (key: string, path: string) => {
    await bucket.download(key, path);
    onFile?.(key);
  };
  const copy = `${target}${unfinished}`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true, mode: 0o700 });
  for (const file of [tarName, manifestName]) await download(`${baseKeys(server)}${name}/${file}`, join(copy, file));
  renameSync(copy, target);
  if (walFolder === undefined) return target;
  mkdirSync(walFolder, { recursive: true, mode: 0o700 });
  const segments = objectsIn(objects, walKeys(server));
  const isOld = isBefore(readManifest(target), segments);
  for (const segment of [...segments.keys()].filter((entry) => !isOld(entry))) {
    const path = join(walFolder, segment);
    if (existsSync(path)) continue;
    await download(walKeys(server) + segment, `${path}.part`);
    renameSync(`${path}.part`, path);
  }
  return target;
}
