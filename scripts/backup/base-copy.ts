import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileBucket } from './base-bucket.ts';
import {
  backupNames,
  isBefore,
  isBegunBy,
  listSegments,
  manifestName,
  parseManifest,
  readManifest,
  serverOf,
  serverOfSegment,
  tarName,
  unfinished,
} from './base-manifest.ts';
import { CannotBackUp } from './manifest.ts';

// Keys: <server>/base/<backup>/<file> and <server>/wal/<segment>. <server> is PostgreSQL's system identifier, because segments of different
// servers have the same names.
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
 * Copies finished base backups and archived segments that are not in the bucket yet, of the server of the newest backup. Keeps the newest
 * `keep` backups of this server, in the bucket and on the volume together, and the segments since the oldest of them; deletes the others from
 * the bucket. Files that are only in the bucket stay there: the volume may be new. Returns whether there is a backup on the volume. Throws
 * CannotBackUp if the bucket has another file of the same name.
 */
export async function copyToBucket({ bucket, folder, walFolder, keep, onChange }: CopyOptions): Promise<boolean> {
  const newest = backupNames(folder).at(-1);
  // Without a backup, the write-ahead log is useless.
  if (newest === undefined) return false;
  const server = serverOf(join(folder, newest));
  const onVolume = backupNames(folder, server);
  const existing = await bucket.list(`${server}/`);
  const kept = [...new Set([...onVolume, ...completeBackups(existing, server)])].sort().slice(-keep);
  const [oldest = newest] = kept;
  const manifest = onVolume.includes(oldest)
    ? readManifest(join(folder, oldest))
    : parseManifest(await bucket.read(`${baseKeys(server)}${oldest}/${manifestName}`));
  const upload = async (key: string, path: string): Promise<boolean> => {
    if (existing.has(key)) {
      const bytes = statSync(path, { throwIfNoEntry: false })?.size;
      if (bytes !== undefined && bytes !== existing.get(key)) {
        throw new CannotBackUp(
          `${key} in the bucket is another file than ${path}: of an earlier history of this server, or of another installation. Use another prefix.`,
        );
      }
      return true;
    }
    try {
      await bucket.upload(key, path);
    } catch (error) {
      // It was too old and has been removed meanwhile.
      if (!existsSync(path)) return false;
      throw error;
    }
    onChange?.('copied', key);
    return true;
  };
  if (walFolder !== undefined && existsSync(walFolder)) {
    const segments = listSegments(walFolder);
    const isOld = isBefore(manifest, segments);
    for (const [name, bytes] of segments) {
      const [key, path] = [walKeys(server) + name, join(walFolder, name)];
      if (isOld(name) || existing.get(key) === bytes) continue;
      if ((serverOfSegment(path) ?? server) === server) await upload(key, path);
    }
  }
  for (const name of onVolume.filter((backup) => kept.includes(backup))) {
    for (const file of [tarName, manifestName]) {
      if (!(await upload(`${baseKeys(server)}${name}/${file}`, join(folder, name, file)))) break;
    }
  }
  const isOldSegment = isBefore(manifest, objectsIn(existing, walKeys(server)));
  const old = [...existing.keys()].filter((key) =>
    key.startsWith(walKeys(server))
      ? isOldSegment(key.slice(walKeys(server).length))
      : (key.slice(baseKeys(server).length).split('/')[0] ?? '') < oldest,
  );
  // The manifests first: without it, a backup is not complete.
  for (const key of old.sort((a, b) => Number(b.endsWith(manifestName)) - Number(a.endsWith(manifestName)))) {
    await bucket.delete(key);
    onChange?.('deleted', key);
  }
  return true;
}

export interface FetchOptions {
  readonly bucket: FileBucket;
  /** `<backup>` or `<server>/<backup>`; undefined: the newest one before `until`, of the only server. */
  readonly backup?: string | undefined;
  readonly until?: Date | undefined;
  /** Folder of base backups, which gets a folder for this one. */
  readonly folder: string;
  /** Folder for the write-ahead log since the backup; undefined: none is downloaded. */
  readonly walFolder?: string | undefined;
  /** Called for each downloaded file, with its key. */
  readonly onFile?: ((key: string) => void) | undefined;
}

/**
 * Downloads a backup from the bucket with the write-ahead log since then. Can be repeated after an error. Returns the folder of the backup.
 * Throws CannotBackUp if the bucket does not have it, or has backups of several servers and `backup` does not choose one.
 */
export async function fetchFromBucket({
  bucket,
  backup,
  until,
  folder,
  walFolder,
  onFile,
}: FetchOptions): Promise<string> {
  const objects = await bucket.list('');
  const { server, name } = chooseBackup(objects, backup, until);
  const target = join(folder, name);
  const download = async (key: string, path: string) => {
    await bucket.download(key, path);
    onFile?.(key);
  };
  if (!existsSync(target)) {
    const copy = `${target}${unfinished}`;
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true, mode: 0o700 });
    for (const file of [tarName, manifestName]) await download(`${baseKeys(server)}${name}/${file}`, join(copy, file));
    renameSync(copy, target);
  }
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

function chooseBackup(
  objects: Sizes,
  backup: string | undefined,
  until: Date | undefined,
): { readonly server: string; readonly name: string } {
  const servers = [...new Set([...objects.keys()].map((key) => key.split('/')[0] ?? ''))];
  const complete = servers.flatMap((server) => completeBackups(objects, server).map((name) => ({ server, name })));
  const found = complete.filter(({ server, name }) =>
    backup === undefined ? isBegunBy(name, until) : [name, `${server}/${name}`].includes(backup),
  );
  const chosen = found.at(-1);
  if (chosen !== undefined && found.every(({ server }) => server === chosen.server)) return chosen;
  const list = complete.map(({ server, name }) => `${server}/${name}`).join(', ') || 'none';
  const wanted =
    backup === undefined ? `a complete backup before ${until?.toISOString() ?? 'now'}` : `the backup ${backup}`;
  const problem = chosen === undefined ? `does not have ${wanted}` : 'has backups of several servers';
  throw new CannotBackUp(`The bucket ${problem}: BACKUP names one of its complete backups. They are: ${list}.`);
}
