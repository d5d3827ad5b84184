// Base backups for a cluster or any PostgreSQL: node scripts/backup/base-main.ts backup|copy|fetch|list|restore|undo|verify|wait
// backup: DATABASE_ADMIN_URL, DATABASE_ADMIN_PASSWORD_FILE, BACKUP_DIR, KEEP (7), WAL_DIR (archived log, which is pruned).
// copy: BACKUP_DIR, WAL_DIR, KEEP (7), COPY_URL (s3://bucket/prefix), AWS_*. fetch: the same variables, BACKUP (a name; default: the newest one before UNTIL).
// list: BACKUP_DIR. verify: BACKUP (folder of one backup, or a name in BACKUP_DIR, or `newest`: the newest one before UNTIL).
// restore: BACKUP, PGDATA (empty, or with REPLACE=1 renamed), WAL_DIR, UNTIL (2026-11-23T12:00:00Z), TIMELINE (a number, `current` or `latest`).
// undo: PGDATA: brings back the folder that the last restore has renamed.
// wait: DATABASE_ADMIN_URL, DATABASE_ADMIN_PASSWORD_FILE, WAIT_SECONDS (900): waits for the end of the recovery.
import { readFileSync } from 'node:fs';
import { messageOf } from '@husky/runtime/rpc/errors';
import { createBaseBackup, verifyBaseBackup } from './base-backup.ts';
import { fileBucket, readS3Settings } from './base-bucket.ts';
import { copyToBucket, fetchFromBucket } from './base-copy.ts';
import { backupNames, findBackup } from './base-manifest.ts';
import { CannotBackUp } from './manifest.ts';
import { waitForRecovery } from './recovery.ts';
import { restoreBaseBackup, undoRestore } from './restore-base.ts';

const { env } = process;
const print = (line: string) => process.stdout.write(`${line}\n`);

function readRequired(name: string): string {
  const value = env[name];
  if (!value) throw new CannotBackUp(`${name} is needed.`);
  return value;
}

function parseKeep(text: string): number {
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1) return keep;
  throw new CannotBackUp(`KEEP must be an integer of at least 1, not ${text}.`);
}

function parseTime(text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && /(Z|[+-]\d\d:?\d\d)$/.test(text)) return time;
  throw new CannotBackUp(`UNTIL must be a time with its zone, as in 2026-11-23T12:00:00Z, not ${text}.`);
}

function parseTimeline(text: string | undefined): string | undefined {
  if (!text || /^(current|latest|[1-9]\d*)$/.test(text)) return text || undefined;
  throw new CannotBackUp(`TIMELINE must be a number, current or latest, not ${text}.`);
}

const openBucket = () => fileBucket(readS3Settings(env));

function readDatabase() {
  const file = env.DATABASE_ADMIN_PASSWORD_FILE;
  const password = file ? readFileSync(file, 'utf8').trimEnd() : undefined;
  return { url: readRequired('DATABASE_ADMIN_URL'), password };
}

/** Returns the folder of the backup that BACKUP names. */
function readBackup(): string {
  const backup = readRequired('BACKUP');
  if (backup.includes('/')) return backup;
  return findBackup(readRequired('BACKUP_DIR'), backup, parseTime(env.UNTIL));
}

async function run(command: string | undefined): Promise<void> {
  const walFolder = env.WAL_DIR || undefined;
  if (command === 'backup') {
    const options = { ...readDatabase(), folder: readRequired('BACKUP_DIR'), walFolder };
    const startedMs = performance.now();
    const folder = await createBaseBackup({ ...options, keep: parseKeep(env.KEEP || '7') });
    print(
      `the backup ${folder} is complete and verified after ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    );
  } else if (command === 'copy') {
    let changes = 0;
    const hasBackup = await copyToBucket({
      bucket: openBucket(),
      folder: readRequired('BACKUP_DIR'),
      walFolder,
      keep: parseKeep(env.KEEP || '7'),
      onChange(change, key) {
        changes += 1;
        print(`${change}: ${key}`);
      },
    });
    print(
      hasBackup ? `the bucket is up to date after ${changes} changes` : 'there is no backup yet, so nothing is copied',
    );
  } else if (command === 'fetch') {
    const options = {
      bucket: openBucket(),
      folder: readRequired('BACKUP_DIR'),
      walFolder,
      backup: env.BACKUP || undefined,
      until: parseTime(env.UNTIL),
    };
    const folder = await fetchFromBucket({ ...options, onFile: (key) => print(`downloaded: ${key}`) });
    print(`the backup ${folder} is complete: verify or restore it`);
  } else if (command === 'list') {
    const names = backupNames(readRequired('BACKUP_DIR'));
    print(names.join('\n') || 'there is no backup');
  } else if (command === 'restore') {
    const [backup, dataDir, until] = [readBackup(), readRequired('PGDATA'), parseTime(env.UNTIL)];
    const timeline = parseTimeline(env.TIMELINE);
    const replaced = await restoreBaseBackup({
      backup,
      dataDir,
      walFolder,
      until,
      timeline,
      replace: env.REPLACE === '1',
    });
    if (replaced) print(`the former data folder is now ${replaced}`);
    print(`${dataDir} has the backup ${backup}: PostgreSQL recovers when it is started on it`);
  } else if (command === 'undo') {
    const dataDir = readRequired('PGDATA');
    const { from, present } = undoRestore(dataDir);
    print(`${dataDir} is now ${present}, and ${from} is ${dataDir} again`);
  } else if (command === 'verify') {
    const backup = readBackup();
    await verifyBaseBackup(backup);
    print(`the backup ${backup} is complete and unchanged`);
  } else if (command === 'wait') {
    await waitForRecovery({ ...readDatabase(), seconds: Number(env.WAIT_SECONDS || 900), onProgress: print });
  } else
    throw new CannotBackUp('usage: node scripts/backup/base-main.ts backup|copy|fetch|list|restore|undo|verify|wait');
}

run(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
