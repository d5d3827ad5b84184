import {
  appendFileSync,
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eachFile, verifyBaseBackup } from './base-backup.ts';
import { CannotBackUp } from './manifest.ts';

export interface RestoreOptions {
  /** Folder of the base backup. */
  readonly backup: string;
  /** Data folder of PostgreSQL, empty or missing. */
  readonly dataDir: string;
  /** Folder of the archived write-ahead log, as PostgreSQL will see it. Without it the end of the base backup is restored. */
  readonly walFolder?: string | undefined;
  /** Point in time to restore; undefined: the end of the archive. */
  readonly until?: Date | undefined;
}

/** Reads an archived segment, plain or compressed by gzip. */
const restoreCommand = (walFolder: string) =>
  `if test -f "${walFolder}/%f.gz"; then gunzip -c "${walFolder}/%f.gz" >"%p"; else cp "${walFolder}/%f" "%p"; fi`;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Extracts a base backup and configures recovery, which happens when PostgreSQL is started on the folder: it replays the archive up to
 * `until` and then accepts changes on a new timeline. Throws one sentence and leaves the folder empty when the backup is damaged.
 */
export async function restoreBase({ backup, dataDir, walFolder, until }: RestoreOptions): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new CannotBackUp(`The data folder ${dataDir} is not empty: move its content away.`);
  }
  if (until !== undefined && walFolder === undefined) {
    throw new CannotBackUp('UNTIL needs WAL_DIR, the folder of the archived write-ahead log.');
  }
  await verifyBaseBackup(backup);
  mkdirSync(dataDir, { recursive: true });
  try {
    await eachFile(
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

function configureRecovery(dataDir: string, walFolder: string, until: Date | undefined): void {
  const settings = [
    `restore_command = ${quoted(restoreCommand(walFolder))}`,
    // Without a target recovery ends where the archive ends.
    ...(until === undefined
      ? []
      : [`recovery_target_time = ${quoted(until.toISOString().replace('T', ' ').replace('Z', '+00'))}`]),
    `recovery_target_action = 'promote'`,
  ];
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(dataDir, 'recovery.signal'), '');
}
