import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { CannotBackUp } from './manifest.ts';

/** Files of a base backup. */
export const tarName = 'base.tar.zst';
export const manifestName = 'backup_manifest';

const prefix = 'husky-';
/** Ends the names of backups that are being written. */
export const unfinished = '.unfinished';

/** Returns a time as it is written in the names of backups and folders: 2026-11-23T12-00-00. */
export const timeInName = (time: Date): string => time.toISOString().slice(0, 19).replaceAll(':', '-');

/** Returns the name of a backup that is made now. */
export const backupName = (now: Date): string => `${prefix}${timeInName(now)}`;

/** The fields of PostgreSQL's backup manifest that are used here (https://www.postgresql.org/docs/current/backup-manifest-format.html). */
export interface BackupManifest {
  /** 64 bits in decimal, the same for all backups of a server; undefined before version 17. */
  readonly systemIdentifier: string | undefined;
  readonly Files: readonly {
    readonly Path: string;
    readonly Size: number;
    readonly 'Checksum-Algorithm': string;
    readonly Checksum: string;
  }[];
  readonly 'WAL-Ranges': readonly { readonly Timeline: number; readonly 'Start-LSN': string }[];
}

/** Throws a SyntaxError if the text is truncated. */
export function parseManifest(text: string): BackupManifest {
  // JSON.parse would round it.
  const [, systemIdentifier] = /"System-Identifier":\s*(\d+)/.exec(text) ?? [];
  return { ...(JSON.parse(text) as Omit<BackupManifest, 'systemIdentifier'>), systemIdentifier };
}

/** Throws CannotBackUp if the backup is not complete. */
export function readManifest(folder: string): BackupManifest {
  try {
    return parseManifest(readFileSync(join(folder, manifestName), 'utf8'));
  } catch {
    throw new CannotBackUp(`${folder} is not a complete base backup: ${manifestName} is missing or damaged.`);
  }
}

/** Returns the system identifier of the server that was backed up. Throws CannotBackUp before PostgreSQL 17. */
export function serverOf(folder: string): string {
  const { systemIdentifier } = readManifest(folder);
  if (systemIdentifier !== undefined) return systemIdentifier;
  throw new CannotBackUp(
    `${folder} has no system identifier: only backups of PostgreSQL 17 and later can be copied to a bucket.`,
  );
}

/** Returns the names of the finished backups in a folder, oldest first; with `server` only those of this server. */
export function backupNames(folder: string, server?: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(prefix) && !name.endsWith(unfinished))
    .filter((name) => server === undefined || isOf(server, join(folder, name)))
    .sort();
}

/** Returns whether a backup was begun by a time, by its name; true without a time. */
export const isBegunBy = (name: string, until: Date | undefined): boolean =>
  until === undefined || name <= backupName(until);

/**
 * Returns the path of a backup in a folder: the one of this name, or for `newest` the last one, with `until` of those that were begun by then.
 * Throws CannotBackUp with the names of all backups if there is none, and if `until` is in the future.
 */
export function findBackup(folder: string, name: string, until?: Date): string {
  if (until !== undefined && until > new Date()) {
    throw new CannotBackUp(`UNTIL is in the future: ${until.toISOString()}.`);
  }
  const names = backupNames(folder);
  const isEarlier = (entry: string) => isBegunBy(entry, until);
  const found = name === 'newest' ? names.findLast(isEarlier) : names.find((entry) => entry === name);
  if (found !== undefined && isEarlier(found)) return join(folder, found);
  const problem =
    found !== undefined
      ? `The backup ${found} was begun after ${until?.toISOString()}.`
      : `There is no backup ${name === 'newest' ? `before ${until?.toISOString() ?? 'now'}` : name}.`;
  throw new CannotBackUp(`${problem} The backups in ${folder} are: ${names.join(', ') || 'none'}.`);
}

function isOf(server: string, backup: string): boolean {
  try {
    return readManifest(backup).systemIdentifier === server;
  } catch {
    // Damaged, or removed meanwhile.
    return false;
  }
}

/** Files of an archived write-ahead log: their sizes in bytes by name. */
export type Segments = ReadonlyMap<string, number>;

/** Returns the complete files of a folder of the archived log, by name. */
export function listSegments(walFolder: string): Segments {
  const names = readdirSync(walFolder).filter((name) => !name.endsWith('.part'));
  // A file may be removed meanwhile.
  const sizes = names
    .sort()
    .map((name): [string, number | undefined] => [
      name,
      statSync(join(walFolder, name), { throwIfNoEntry: false })?.size,
    ]);
  return new Map(sizes.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

const headerBytes = 4096;
// Of XLogLongPageHeaderData, the header of each segment (src/include/access/xlog_internal.h).
const systemIdentifierAt = 24;

/** Returns the system identifier in an archived segment, plain or compressed by gzip; undefined for other files and removed ones. */
export function serverOfSegment(path: string): string | undefined {
  if (!/\/[0-9A-F]{24}(\.gz)?$/.test(path) || !existsSync(path)) return undefined;
  const start = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  const length = readSync(file, start, 0, headerBytes, 0);
  closeSync(file);
  const read = start.subarray(0, length);
  const header = path.endsWith('.gz') ? gunzipSync(read, { finishFlush: constants.Z_SYNC_FLUSH }) : read;
  if (header.length < systemIdentifierAt + 8) return undefined;
  const identifier =
    endianness() === 'LE' ? header.readBigUInt64LE(systemIdentifierAt) : header.readBigUInt64BE(systemIdentifierAt);
  return identifier.toString();
}

/** Returns a function that says whether recovery of a backup does not need a segment, because it is older. */
export function isBefore(manifest: BackupManifest, segments: Segments): (segment: string) => boolean {
  const [range] = manifest['WAL-Ranges'];
  const [high = '0', low = '0'] = range?.['Start-LSN'].split('/') ?? [];
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const first = hex(Number.parseInt(high, 16)) + hex(Math.floor(Number.parseInt(low, 16) / segmentBytes(segments)));
  // The first eight digits are the timeline, which only grows.
  return (segment) => /^[0-9A-F]{24}/.test(segment) && segment.slice(8, 24) < first;
}

function segmentBytes(segments: Segments): number {
  for (const [name, bytes] of segments) if (/^[0-9A-F]{24}$/.test(name)) return bytes;
  // If all segments are compressed, as in the chart, their size is PostgreSQL's default.
  return 16 << 20;
}
