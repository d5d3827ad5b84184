import { createWriteStream, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freePort } from '@husky/platform/free-port';
import { reachableDataFolder, unprivilegedUser } from '@husky/platform/os-user';
import { postgresMajor, startPostgres } from '@husky/platform/postgres-server';
import { freeBytes } from '../up/full-disk.ts';
import { Secrets } from '../up/secrets.ts';
import { readArchive } from './archive-reader.ts';
import { CannotBackUp, checkHeader, type Header } from './manifest.ts';
import { Progress } from './progress.ts';

// Written last: PostgreSQL refuses a folder without it.
const lastFile = 'postgres/PG_VERSION';

/** Reads a complete archive and compares it with its manifest, without restoring it. Throws CannotBackUp if it is not intact. */
export async function verifyBackup(file: string, print: (line: string) => void): Promise<void> {
  const progress = new Progress('verify', print);
  const manifest = await readArchive(file, {
    onHeader(header) {
      checkHeader(header, postgresMajor());
      progress.expect(header.bytes);
    },
    onFolder: () => undefined,
    async onFile(_name, _mode, content) {
      for await (const chunk of content) void chunk;
    },
    onBytes: (bytes) => progress.add(bytes),
  });
  print(`verified ${manifest.files.length} files, ${progress.summary()}`);
}

/**
 * Restores an archive into an empty or missing data folder and lets PostgreSQL recover. Throws CannotBackUp and leaves the folder
 * unchanged if it is not empty, or if the archive is damaged, of a newer version or of another architecture.
 */
export async function restore(file: string, dataDir: string, print: (line: string) => void): Promise<Header> {
  const existed = existsSync(dataDir);
  if (existed && readdirSync(dataDir).length > 0) {
    throw new CannotBackUp(`The data folder ${dataDir} is not empty: name another by DATA_DIR, or move it away.`);
  }
  mkdirSync(dataDir, { recursive: true });
  // If this process is root, PostgreSQL runs as another user, which may need its data at another path.
  const database = unprivilegedUser() ? reachableDataFolder(join(dataDir, 'postgres')) : join(dataDir, 'postgres');
  if (existsSync(database) && readdirSync(database).length > 0) {
    rmSync(join(dataDir, 'postgres'), { force: true });
    throw new CannotBackUp(`The folder ${database} is not empty: move it away.`);
  }
  try {
    const header = await extract(file, dataDir, database, print);
    await recover(dataDir, print);
    return header;
  } catch (error) {
    rmSync(database, { recursive: true, force: true });
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    if (!existed) rmdirSync(dataDir);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new CannotBackUp(`The disk is full: ${dataDir} cannot be written.`);
    throw error;
  }
}

async function extract(
  file: string,
  dataDir: string,
  database: string,
  print: (line: string) => void,
): Promise<Header> {
  const progress = new Progress('restore', print);
  const pathOf = (name: string) =>
    name === 'postgres' || name.startsWith('postgres/')
      ? join(database, name.slice('postgres/'.length))
      : join(dataDir, name);
  const version: Buffer[] = [];
  let archiveHeader: Header | undefined;
  await readArchive(file, {
    onHeader(header) {
      checkHeader(header, postgresMajor());
      checkSpace(dataDir, header.bytes);
      progress.expect(header.bytes);
      archiveHeader = header;
    },
    onFolder: (name, mode) => void mkdirSync(pathOf(name), { recursive: true, mode }),
    async onFile(name, mode, content) {
      if (name === lastFile) {
        for await (const chunk of content) version.push(chunk);
        return;
      }
      mkdirSync(dirname(pathOf(name)), { recursive: true, mode: 0o700 });
      await pipeline(Readable.from(content), createWriteStream(pathOf(name), { mode, flags: 'wx' }));
    },
    onBytes: (bytes) => progress.add(bytes),
  });
  if (archiveHeader === undefined || version.length === 0)
    throw new CannotBackUp(`${file} is not a backup of this platform.`);
  writeFileSync(join(database, basename(lastFile)), Buffer.concat(version), { mode: 0o600 });
  print(`restored ${progress.summary()}`);
  return archiveHeader;
}

function checkSpace(dataDir: string, bytes: number): void {
  const free = freeBytes(dataDir);
  if (free >= bytes) return;
  const mib = (value: number) => Math.ceil(value / 2 ** 20);
  throw new CannotBackUp(`The disk of ${dataDir} is full: ${mib(free)} of ${mib(bytes)} MiB are free.`);
}

/** Starts and stops PostgreSQL once, so that a backup that cannot be recovered fails now. */
async function recover(dataDir: string, print: (line: string) => void): Promise<void> {
  const startedMs = performance.now();
  const password = new Secrets(dataDir).value('database-owner').value;
  const port = await freePort();
  const server = await startPostgres({ dataDir: join(dataDir, 'postgres'), port, password });
  print(`PostgreSQL recovered in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  await server.stop();
}
