// `make parked-messages`: lists the messages that consumers could not handle; REPLAY=<id>,... or REPLAY=all requests their replay.
// DATA_DIR: data folder of a platform that runs on this machine. DATABASE_ADMIN_URL: another database (with password, database husky).
import { resolve } from 'node:path';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { messageOf } from '@husky/runtime/rpc/errors';
import pg from 'pg';
import { runningDatabaseUrl } from '../up/database.ts';
import { listParked, requestReplay } from './parked.ts';

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.DATA_DIR || '.data');
const print = (line: string) => process.stdout.write(`${line}\n`);

function adminUrl(): string {
  if (process.env.DATABASE_ADMIN_URL) return process.env.DATABASE_ADMIN_URL;
  try {
    return runningDatabaseUrl(dataDir);
  } catch {
    throw new Error(`No platform runs on ${dataDir}: start it, or set DATA_DIR or DATABASE_ADMIN_URL.`);
  }
}

async function run(): Promise<void> {
  const client = new pg.Client(connectionOptions(adminUrl()));
  await client.connect();
  try {
    if (process.env.REPLAY) {
      const ids = process.env.REPLAY === 'all' ? undefined : process.env.REPLAY.split(',');
      print(`${await requestReplay(client, ids)} messages will be replayed within a few seconds`);
    }
    const messages = await listParked(client);
    for (const message of messages) {
      const { id, service, durable, subject, deliveries, parkedAt, replaying, reason } = message;
      print(`${id} ${parkedAt.toISOString()} ${service} ${durable} ${subject} ${deliveries} deliveries`);
      print(`  ${replaying ? '(replay requested) ' : ''}${reason}`);
    }
    print(`${messages.length} parked messages`);
  } finally {
    await client.end();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
