import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { connectionOptions } from '@husky/runtime/database/database-url';
import pg from 'pg';
import { extract } from 'tar-stream';
import { BaseBackupQuery } from './base-backup-stream.ts';
import {
  backupName,
  backupNames,
  isBefore,
  listSegments,
  manifestName,
  readManifest,
  tarName,
  unfinished,
} from './base-manifest.ts';
import { CannotBackUp } from './manifest.ts';

export interface BaseBackupOptions {
  /** URL of a superuser or a role with REPLICATION. */
  readonly url: string;
  readonly password?: string | undefined;
  /** Folder that gets one folder for each backup. */
  readonly folder: string;
  /** Folder of the archived write-ahead log. Segments that no remaining backup needs are removed. */
  readonly walFolder?: string | undefined;
  /** Number of backups to keep, at least 1. */
  readonly keep: number;
}

/**
 * Copies a running PostgreSQL over the replication protocol, verifies the copy against the server's manifest, and removes old backups.
 * Returns the folder of the backup, which gets its final name only after verification. Throws CannotBackUp or the server's error.
 */
export async function createBaseBackup(
  { url, password, folder, walFolder, keep }: BaseBackupOptions,
  now = new Date(),
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  // Before the copy, which may need the space: `keep` may be lower than before.
  removeOldBackups(folder, keep);
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(unfinished)))
    rmSync(join(folder, name), { recursive: true });
  const target = join(folder, backupName(now));
  if (existsSync(target)) throw new CannotBackUp(`The backup ${target} exists already.`);
  const copy = `${target}${unfinished}`;
  mkdirSync(copy, { mode: 0o700 });
  try {
    await receive({ ...connectionOptions(url, password), replication: 'true' } as pg.ClientConfig, copy);
    await verifyBaseBackup(copy);
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  removeOldBackups(folder, keep);
  if (walFolder !== undefined) removeOldSegments(folder, walFolder);
  return target;
}

async function receive(config: pg.ClientConfig, copy: string): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
  const compress = createZstdCompress({ params });
  const written = pipeline(compress, createWriteStream(join(copy, tarName), { mode: 0o600, flush: true }));
  written.catch(() => undefined);
  const manifest: Buffer[] = [];
  let archives = 0;
  let inManifest = false;
  try {
    await client.connect();
    // The slot keeps the write-ahead log until the copy is complete, and is dropped with the connection.
    await client.query('CREATE_REPLICATION_SLOT "husky_base_backup" TEMPORARY PHYSICAL RESERVE_WAL');
    const query = new BaseBackupQuery({
      onArchive() {
        if (++archives > 1) throw new CannotBackUp('The database has tablespaces, which this backup does not copy.');
      },
      onManifest() {
        inManifest = true;
      },
      async onData(chunk) {
        if (inManifest) manifest.push(chunk);
        else if (!compress.write(chunk)) await Promise.race([once(compress, 'drain'), written]);
      },
    });
    client.query(query);
    await query.done;
    compress.end();
    await written;
    writeFileSync(join(copy, manifestName), Buffer.concat(manifest), { mode: 0o600, flush: true });
  } finally {
    compress.destroy();
    await client.end().catch(() => undefined);
  }
}

/** Compares every file of a base backup with its manifest. Throws CannotBackUp with the first difference. */
export async function verifyBaseBackup(folder: string): Promise<void> {
  const manifest = readManifest(folder);
  const missing = new Map(manifest.Files.map((file) => [file.Path, file]));
  await forEachFile(folder, async (name, content) => {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.length;
    }
    const file = missing.get(name);
    missing.delete(name);
    // The manifest does not list the write-ahead log; the server verifies it during recovery.
    if (file === undefined) return;
    if (size !== file.Size || hash.digest('hex') !== file.Checksum)
      throw new CannotBackUp(`The backup ${folder} is damaged: ${name} differs from its manifest.`);
  });
  const [lost] = missing.keys();
  if (lost !== undefined) throw new CannotBackUp(`The backup ${folder} is damaged: ${lost} is missing.`);
}

/** Calls `onFile` for each file of the archive and `onFolder` for each folder. `onFile` must read the complete content. */
export async function forEachFile(
  folder: string,
  onFile: (name: string, content: AsyncIterable<Buffer>) => Promise<void>,
  onFolder: (name: string) => void = () => undefined,
): Promise<void> {
  const tar = extract();
  const reading = pipeline(createReadStream(join(folder, tarName)), createZstdDecompress(), tar);
  reading.catch((error: unknown) => tar.destroy(error as Error));
  try {
    for await (const entry of tar) {
      const name = entry.header.name.replace(/^\.\//, '').replace(/\/$/, '');
      if (entry.header.type === 'directory') {
        onFolder(name);
        entry.resume();
      } else await onFile(name, entry as unknown as AsyncIterable<Buffer>);
    }
    await reading;
  } catch (error) {
    if (error instanceof CannotBackUp) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new CannotBackUp(`The volume is full: ${(error as Error).message}.`);
    throw new CannotBackUp(`The backup ${folder} is truncated or damaged: ${(error as Error).message}.`);
  }
}

/** Removes all but the newest `keep` backups. */
function removeOldBackups(folder: string, keep: number): void {
  for (const name of backupNames(folder).slice(0, -keep)) rmSync(join(folder, name), { recursive: true });
}

/**
 * Removes the archived segments that are older than all backups of the newest one's server: positions in the logs of different servers
 * cannot be compared.
 */
function removeOldSegments(folder: string, walFolder: string): void {
  const newest = backupNames(folder).at(-1);
  if (newest === undefined) return;
  const [oldest] = backupNames(folder, readManifest(join(folder, newest)).systemIdentifier);
  if (oldest === undefined || !existsSync(walFolder)) return;
  const segments = listSegments(walFolder);
  const isOld = isBefore(readManifest(join(folder, oldest)), segments);
  for (const name of segments.keys()) if (isOld(name)) rmSync(join(walFolder, name));
}
