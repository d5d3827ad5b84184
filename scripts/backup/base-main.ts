// Base backups for a cluster or any PostgreSQL: node scripts/backup/base-main.ts backup|restore|verify
// backup: DATABASE_ADMIN_URL, DATABASE_ADMIN_PASSWORD_FILE, BACKUP_DIR, KEEP (7), WAL_DIR (the archive, to be pruned).
// restore: BACKUP (folder of one backup), PGDATA (empty), WAL_DIR, UNTIL (2026-11-23T12:00:00Z). verify: BACKUP.
import { readFileSync } from 'node:fs';
import { messageOf } from '@husky/runtime/errors';
import { baseBackup, verifyBaseBackup } from './base-backup.ts';
import { CannotBackUp } from './manifest.ts';
import { restoreBase } from './restore-base.ts';

const { env } = process;
const say = (line: string) => process.stdout.write(`${line}\n`);

function required(name: string): string {
  const value = env[name];
  if (!value) throw new CannotBackUp(`${name} is needed.`);
  return value;
}

function keepOf(text: string): number {
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1) return keep;
  throw new CannotBackUp(`KEEP must be a whole number of at least 1, not ${text}.`);
}

function timeOf(text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && /(Z|[+-]\d\d:?\d\d)$/.test(text)) return time;
  throw new CannotBackUp(`UNTIL must be a time with its zone, as in 2026-11-23T12:00:00Z, not ${text}.`);
}

async function run(command: string | undefined): Promise<void> {
  const walFolder = env.WAL_DIR || undefined;
  if (command === 'backup') {
    const file = env.DATABASE_ADMIN_PASSWORD_FILE;
    const password = file ? readFileSync(file, 'utf8').trimEnd() : undefined;
    const options = { url: required('DATABASE_ADMIN_URL'), password, folder: required('BACKUP_DIR'), walFolder };
    const began = performance.now();
    const folder = await baseBackup({ ...options, keep: keepOf(env.KEEP || '7') });
    say(`the backup ${folder} is complete and verified after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  } else if (command === 'restore') {
    const [backup, dataDir, until] = [required('BACKUP'), required('PGDATA'), timeOf(env.UNTIL)];
    await restoreBase({ backup, dataDir, walFolder, until });
    say(`${dataDir} is ready: PostgreSQL recovers when it is started on it`);
  } else if (command === 'verify') {
    await verifyBaseBackup(required('BACKUP'));
    say('the backup is complete and unchanged');
  } else throw new CannotBackUp('usage: node scripts/backup/base-main.ts backup|restore|verify');
}

run(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
