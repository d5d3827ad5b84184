import {
  appendFileSync,
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { forEachFile, verifyBaseBackup } from './base-backup.ts';
import { CannotBackUp } from './manifest.ts';

export interface RestoreOptions {
  /** Folder of the base backup. */
  readonly backup: string;
  /** Data folder of PostgreSQL, empty or missing. */
  readonly dataDir: string;
  /** Path of the archived write-ahead log for the server. If undefined, the end of the base backup is restored. */
  readonly walFolder?: string | undefined;
  /** Point in time to restore; undefined: the end of the archive. */
  readonly until?: Date | undefined;
}

/** Returns a shell command that reads an archived segment, plain or compressed by gzip. */
const restoreCommand = (walFolder: string) =>
  `if test -f "${walFolder}/%f.gz"; then gunzip -c "${walFolder}/%f.gz" >"%p"; else cp "${walFolder}/%f" "%p"; fi`;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Extracts a base backup and configures recovery. When PostgreSQL is started on the folder, it replays the archive up to `until` and then
 * accepts changes on a new timeline. If the backup is damaged, throws CannotBackUp and leaves the folder empty.
 */
export async function restoreBaseBackup({ backup, dataDir, walFolder, until }: RestoreOptions): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new CannotBackUp(`The data folder ${dataDir} is not empty: move its content away.`);
  }
  if (until !== undefined && walFolder === undefined) {
    throw new CannotBackUp('UNTIL needs WAL_DIR, the folder of the archived write-ahead log.');
  }
  await verifyBaseBackup(backup);
  mkdirSync(dataDir, { recursive: true });
  try {
    await forEachFile(
      backup,
      async (name, content) => {
        mkdirSync(dirname(join(dataDir, name)), { recursive: true, mode: 0o700 });
        await pipeline(Readable.from(content), createWriteStream(join(dataDir, name), { mode: 0o600, flags: 'wx' }));
      },
      (name) => void mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 }),
    );
    chmodSync(dataDir, 0o700);
    if (walFolder !== undefined) configureRecovery(dataDir, walFolder, until);
  } catch (error) {
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
    throw error;
  }
}

/**
 * Restores a base backup as restoreBaseBackup does, in the place of an existing data folder. Returns the new path of that folder, or undefined
 * if there was none. If the restore fails, the folder has its old name again.
 */
export async function replaceByBackup(options: RestoreOptions, now = new Date()): Promise<string | undefined> {
  const { dataDir } = options;
  const replaced = `${dataDir}.replaced-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const exists = existsSync(dataDir) && readdirSync(dataDir).length > 0;
  if (exists) renameSync(dataDir, replaced);
  try {
    await restoreBaseBackup(options);
  } catch (error) {
    if (exists) {
      rmSync(dataDir, { recursive: true, force: true });
      renameSync(replaced, dataDir);
    }
    throw error;
  }
  return exists ? replaced : undefined;
}

function configureRecovery(dataDir: string, walFolder: string, until: Date | undefined): void {
  const settings = [
    `restore_command = ${quote(restoreCommand(walFolder))}`,
    // Empty: the end of the archive. A backup of a server that was itself restored has the settings of that time.
    `recovery_target_time = ${quote(until?.toISOString().replace('T', ' ').replace('Z', '+00') ?? '')}`,
    `recovery_target_action = 'promote'`,
  ];
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(dataDir, 'recovery.signal'), '');
}
