import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { startPostgres } from '@husky/platform/postgres-server';
import { runningDatabaseUrl } from '../up/database.ts';
import { ProcessRegister, runningParts } from '../up/preflight.ts';
import { Secrets } from '../up/secrets.ts';
import { ArchiveWriter, unfinished } from './archive-writer.ts';
import { DatabaseCopy, type Entry, listDatabaseFiles, readAppliedMigrations } from './database-copy.ts';
import { CannotBackUp, createHeader, headerName } from './manifest.ts';
import { copyPausedNats } from './paused-nats.ts';
import { Progress } from './progress.ts';

/** Subfolders that are copied unchanged. Runners' folders and unpacked packages are not copied, because they are recreated. */
const plainFolders = ['secrets', 'outbox'];
const plainFiles = ['keycloak-port'];

export interface Backup {
  /** SHA-256 of the manifest. */
  readonly sha256: string;
  readonly natsPauseMs: number;
}

/**
 * Copies the data of a platform into one archive, whether or not the platform runs (if not, it starts PostgreSQL for the copy). The
 * archive is a consistent snapshot of database and events. If it fails, removes the unfinished archive and throws CannotBackUp.
 */
export async function backUp(dataDir: string, file: string, print: (line: string) => void): Promise<Backup> {
  if (!existsSync(join(dataDir, 'postgres/PG_VERSION'))) {
    throw new CannotBackUp(`The folder ${dataDir} has no data of a platform: name another by DATA_DIR.`);
  }
  if (relative(dataDir, file).split('/')[0] !== '..') {
    throw new CannotBackUp(`The backup must be outside of the data folder ${dataDir}: name another file by BACKUP.`);
  }
  mkdirSync(dirname(file), { recursive: true });
  removeAbandoned(dirname(file));
  for (const abandoned of readdirSync(dataDir).filter((name) => name.startsWith('.backup-nats-'))) {
    rmSync(join(dataDir, abandoned), { recursive: true, force: true });
  }
  const parts = runningParts(dataDir);
  if (parts.keycloak !== undefined) {
    throw new CannotBackUp('The accounts are in a Keycloak that runs with the platform: stop the platform first.');
  }
  const secrets = new Secrets(dataDir);
  if (parts.supervisor !== undefined) {
    return await writeArchive(dataDir, file, runningDatabaseUrl(dataDir), parts.nats, print);
  }
  const register = new ProcessRegister(dataDir);
  await register.takeOver();
  try {
    const postgres = await startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: await freePort(),
      password: secrets.value('database-owner').value,
    });
    try {
      const url = runningDatabaseUrl(dataDir);
      return await writeArchive(dataDir, file, url, undefined, print);
    } finally {
      await postgres.stop();
    }
  } finally {
    register.remove('supervisor');
  }
}

/** Removes archives of killed backups: those that were not written to for ten minutes. */
function removeAbandoned(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(`.tar.zst${unfinished}`))) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > 600_000) rmSync(path, { force: true });
  }
}

async function writeArchive(
  dataDir: string,
  file: string,
  adminUrl: string,
  natsPid: number | undefined,
  print: (line: string) => void,
): Promise<Backup> {
  const database = join(dataDir, 'postgres');
  const version = readFileSync(join(database, 'PG_VERSION'), 'utf8').trim();
  const progress = new Progress('backup', print);
  const archive = new ArchiveWriter(file, (bytes) => progress.add(bytes));
  const copy = new DatabaseCopy(adminUrl);
  try {
    const migrations = await readAppliedMigrations(adminUrl);
    await copy.begin();
    const files = listDatabaseFiles(database);
    const bytes = sumBytes(files) + measurePlainFolders(dataDir);
    progress.expect(bytes);
    await archive.addText(headerName, JSON.stringify(createHeader(version, migrations, bytes)));
    for (const name of plainFiles) await archive.addFile(name, join(dataDir, name));
    for (const name of plainFolders) await addFolder(archive, name, join(dataDir, name));
    await archive.addFolder('postgres');
    for (const entry of files) {
      const name = join('postgres', entry.name);
      if (entry.folder) await archive.addFolder(name);
      else await archive.addFile(name, join(database, entry.name));
    }
    const nats = await copyPausedNats(natsPid, dataDir, () => copy.end(database));
    try {
      await addFolder(archive, 'nats', nats.copy);
    } finally {
      rmSync(nats.copy, { recursive: true, force: true });
    }
    if (existsSync(join(dataDir, 'keycloak'))) await addFolder(archive, 'keycloak', join(dataDir, 'keycloak'));
    for (const segment of nats.result.segments) {
      await archive.addFile(`postgres/pg_wal/${segment}`, join(database, 'pg_wal', segment));
    }
    await archive.addText('postgres/backup_label', nats.result.label);
    const sha256 = await archive.finish();
    const pause = natsPid === undefined ? '' : `; events were paused for ${nats.pauseMs.toFixed(0)} ms`;
    print(`backed up ${progress.summary()}${pause}`);
    return { sha256, natsPauseMs: nats.pauseMs };
  } catch (error) {
    await archive.abort();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new CannotBackUp(`The disk is full: ${file} cannot be written.`);
    throw error;
  } finally {
    await copy.close();
  }
}

const sumBytes = (entries: readonly Entry[]) => entries.reduce((bytes, entry) => bytes + entry.bytes, 0);

/** Returns the size in bytes of the folders that are copied file by file. */
function measurePlainFolders(dataDir: string): number {
  return [...plainFolders, 'nats', 'keycloak'].reduce((bytes, name) => {
    const path = join(dataDir, name);
    if (!existsSync(path)) return bytes;
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map(
      (entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return bytes + sizes.reduce((left, right) => left + right, 0);
  }, 0);
}

async function addFolder(archive: ArchiveWriter, name: string, path: string): Promise<void> {
  if (!existsSync(path)) return;
  await archive.addFolder(name);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await addFolder(archive, join(name, entry.name), join(path, entry.name));
    else if (entry.isFile()) await archive.addFile(join(name, entry.name), join(path, entry.name));
  }
}
