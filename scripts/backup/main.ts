// `make backup`, `make restore`, `make verify-backup`: node scripts/backup/main.ts backup|restore|verify
// DATA_DIR (default .data); BACKUP: the archive (default of backup: backups/husky-<time>.tar.zst; required by the others).
import { resolve } from 'node:path';
import { messageOf } from '@husky/runtime/rpc/errors';
import { backUp } from './backup.ts';
import { CannotBackUp } from './manifest.ts';
import { restore, verifyBackup } from './restore.ts';

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.DATA_DIR || '.data');
const archivePath = process.env.BACKUP ? resolve(process.env.BACKUP) : undefined;
const print = (line: string) => process.stdout.write(`${line}\n`);

function requireArchive(): string {
  if (archivePath === undefined) throw new CannotBackUp('Name the archive: BACKUP=backups/husky-....tar.zst');
  return archivePath;
}

async function run(command: string | undefined): Promise<void> {
  if (command === 'backup') {
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const file = archivePath ?? resolve(root, `backups/husky-${time}.tar.zst`);
    const { sha256 } = await backUp(dataDir, file, print);
    print(`the backup is ${file}; it contains every secret of the installation; SHA-256 of its manifest: ${sha256}`);
  } else if (command === 'restore') {
    const { createdAt } = await restore(requireArchive(), dataDir, print);
    print(`${dataDir} has the data of ${createdAt}: start it by DATA_DIR=${dataDir} make up`);
  } else if (command === 'verify') await verifyBackup(requireArchive(), print);
  else throw new CannotBackUp('usage: node scripts/backup/main.ts backup|restore|verify');
}

run(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
