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
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { forEachFile, verifyBaseBackup } from './base-backup.ts';
import { timeInName } from './base-manifest.ts';
import { CannotBackUp } from './manifest.ts';

export interface RestoreOptions {
  /** Folder of the base backup. */
  readonly backup: string;
  /** Data folder of PostgreSQL, empty or missing. */
  readonly dataDir: string;
  /** Whether `dataDir` may have content: it is then renamed. */
  readonly replace?: boolean;
  /** Path of the archived write-ahead log for the server. If undefined, the end of the base backup is restored. */
  readonly walFolder?: string | undefined;
  /** Point in time to restore; undefined: the end of the archive. */
  readonly until?: Date | undefined;
  /** Timeline to follow: a number, `current` (that of the backup) or `latest` (default). */
  readonly timeline?: string | undefined;
}

/** Returns a shell command that reads an archived segment, plain or compressed by gzip. */
const restoreCommand = (walFolder: string) =>
  `if test -f "${walFolder}/%f.gz"; then gunzip -c "${walFolder}/%f.gz" >"%p"; else cp "${walFolder}/%f" "%p"; fi`;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

const hasContent = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0;

/**
 * Extracts a base backup and configures recovery. When PostgreSQL is started on the folder, it replays the archive up to `until` and then
 * accepts changes on a new timeline. The data folder changes last, by renaming: until then, also after an error or if the process is killed, it is as
 * before. Returns the new path of a replaced folder. Throws CannotBackUp if the backup is damaged.
 */
export async function restoreBaseBackup(options: RestoreOptions, now = new Date()): Promise<string | undefined> {
  const { backup, dataDir, replace = false, walFolder, until } = options;
  if (!replace && hasContent(dataDir)) {
    throw new CannotBackUp(`The data folder ${dataDir} is not empty: move its content away.`);
  }
  if (until !== undefined && walFolder === undefined) {
    throw new CannotBackUp('UNTIL needs WAL_DIR, the folder of the archived write-ahead log.');
  }
  await verifyBaseBackup(backup);
  const restoring = `${dataDir}.restoring`;
  rmSync(restoring, { recursive: true, force: true });
  mkdirSync(restoring, { recursive: true });
  try {
    await forEachFile(
      backup,
      async (name, content) => {
        const path = join(restoring, name);
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      },
      (name) => void mkdirSync(join(restoring, name), { recursive: true, mode: 0o700 }),
    );
    chmodSync(restoring, 0o700);
    if (walFolder !== undefined) configureRecovery(restoring, { ...options, walFolder });
  } catch (error) {
    rmSync(restoring, { recursive: true, force: true });
    throw error;
  }
  const replaced = hasContent(dataDir) ? `${dataDir}.replaced-${timeInName(now)}` : undefined;
  if (replaced !== undefined) renameSync(dataDir, replaced);
  else rmSync(dataDir, { recursive: true, force: true });
  renameSync(restoring, dataDir);
  return replaced;
}

/**
 * Brings back the data folder that the last restore has replaced. The present one is renamed. Returns the paths of both. Throws CannotBackUp if
 * there is none.
 */
export function undoRestore(dataDir: string, now = new Date()): { readonly from: string; readonly present: string } {
  const prefix = `${basename(dataDir)}.replaced-`;
  const replaced = readdirSync(dirname(dataDir)).filter((name) => name.startsWith(prefix));
  const last = replaced.sort().at(-1);
  if (last === undefined) throw new CannotBackUp(`There is no folder ${dataDir}.replaced-<time>.`);
  const [from, present] = [join(dirname(dataDir), last), `${dataDir}.undone-${timeInName(now)}`];
  if (existsSync(dataDir)) renameSync(dataDir, present);
  renameSync(from, dataDir);
  return { from, present };
}

function configureRecovery(
  dataDir: string,
  { walFolder, until, timeline }: RestoreOptions & { readonly walFolder: string },
): void {
  const settings = [
    `restore_command = ${quote(restoreCommand(walFolder))}`,
    // Empty: the end of the archive. A backup of a server that was itself restored has the settings of that time.
    `recovery_target_time = ${quote(until?.toISOString().replace('T', ' ').replace('Z', '+00') ?? '')}`,
    `recovery_target_timeline = ${quote(timeline ?? 'latest')}`,
    `recovery_target_action = 'promote'`,
  ];
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(dataDir, 'recovery.signal'), '');
}
