// `make seed-large`: adds matches to the database of a running platform, for tests with much data. HANDS (2,000,000); DATA_DIR (.data) of a
// running platform, or DATABASE_URL, the URL of a superuser.
import { join, resolve } from 'node:path';
import { messageOf } from '@husky/runtime/rpc/errors';
import { runningDatabaseUrl } from '../up/database.ts';
import { freeBytes } from '../up/full-disk.ts';
import { CannotSeed, readHands, requireSpace } from './preconditions.ts';
import { appendHands } from './seed.ts';

const root = resolve(import.meta.dirname, '../..');
const print = (line: string) => void process.stdout.write(`${line}\n`);

function findDatabase(hands: number): string {
  const url = process.env.DATABASE_URL;
  if (url) {
    print('The free disk space of the server of DATABASE_URL is not checked.');
    return url;
  }
  const dataDir = resolve(root, process.env.DATA_DIR || '.data');
  const notRunning = `No platform runs on ${dataDir}: start it by make up, or set DATA_DIR or DATABASE_URL.`;
  try {
    const running = runningDatabaseUrl(dataDir);
    requireSpace(hands, freeBytes(join(dataDir, 'postgres')), dataDir);
    return running;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CannotSeed(notRunning);
    throw error;
  }
}

async function main(): Promise<void> {
  const hands = readHands(process.env.HANDS);
  await appendHands(findDatabase(hands), hands, print);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
