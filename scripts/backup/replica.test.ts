// Reads with a real streaming replica: from the replica while it is up to date, from the primary while it lags or is unavailable.
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { giveFolder, unprivilegedUser } from '@husky/platform/os-user';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { openDatabase } from '@husky/runtime/database/postgres';
import { openReplica, type Replica } from '@husky/runtime/database/replica';
import { createLogger } from '@husky/runtime/process/logger';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBaseBackup } from './base-backup.ts';
import { restoreBaseBackup } from './restore-base.ts';

const password = randomBytes(8).toString('hex');
let folder: string;
let port: number;
let primary: PostgresServer;
let standby: PostgresServer | undefined;
let pools: { primary: pg.Pool; replica: pg.Pool };
let replica: Replica<null>;

const poolOf = (url: string) => openDatabase({ url, password, schema: 'public', poolSize: 2 });

async function startStandby(): Promise<void> {
  standby = await startPostgres({ dataDir: join(folder, 'standby'), port, password });
}

/** Returns whether the standby served the read, and the number of rows in it. */
const readRows = () =>
  replica.read(async ({ pool }) => {
    const { rows } = await pool.query<{ standby: boolean; rows: number }>(
      'SELECT pg_is_in_recovery() AS standby, count(*)::int AS rows FROM facts',
    );
    return rows[0];
  });

/** Repeats the check of the replica until the expected server serves reads. */
const waitUntilServedBy = (standbyServes: boolean) =>
  expect
    .poll(
      async () => {
        await replica.check();
        return (await readRows())?.standby;
      },
      { timeout: 60_000 },
    )
    .toBe(standbyServes);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-replica-'));
  chmodSync(folder, 0o755);
  primary = await startPostgres({ dataDir: join(folder, 'primary'), port: await freePort(), password });
  const backup = await createBaseBackup({ url: primary.adminUrl, folder: join(folder, 'backups'), keep: 1 });
  const copy = join(folder, 'standby');
  await restoreBaseBackup({ backup, dataDir: copy });
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  writeFileSync(join(copy, 'standby.signal'), '');
  giveFolder(copy, unprivilegedUser());
  port = await freePort();
  await startStandby();
  pools = { primary: poolOf(primary.adminUrl), replica: poolOf(standby?.adminUrl ?? '') };
  await pools.primary.query('CREATE TABLE facts (id serial PRIMARY KEY)');
  const log = createLogger('test', 'fatal');
  replica = openReplica({ pool: pools.primary, prisma: null }, { pool: pools.replica, prisma: null }, log);
}, 180_000);

afterAll(async () => {
  replica?.close();
  await pools?.replica.end();
  await pools?.primary.end();
  await standby?.stop();
  await primary?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('reads from the primary before the first check, then from a replica that is up to date', async () => {
  expect(await readRows()).toEqual({ standby: false, rows: 0 });
  await waitUntilServedBy(true);
  await pools.primary.query('INSERT INTO facts DEFAULT VALUES');
  await replica.check();
  await waitUntilServedBy(true);
  expect(await readRows()).toEqual({ standby: true, rows: 1 });
});

test('reads from the primary while the replica lags', async () => {
  await pools.replica.query('SELECT pg_wal_replay_pause()');
  await pools.primary.query('INSERT INTO facts DEFAULT VALUES');
  await replica.check();
  await replica.check();
  expect(await readRows()).toEqual({ standby: false, rows: 2 });
  await pools.replica.query('SELECT pg_wal_replay_resume()');
  await waitUntilServedBy(true);
  expect((await readRows())?.rows).toBe(2);
});

test('serves every read while the replica is unavailable, and rejects with the error of a statement', async () => {
  await waitUntilServedBy(true);
  await expect(replica.read(({ pool }) => pool.query('SELECT nothing FROM facts'))).rejects.toThrow('nothing');
  expect((await readRows())?.standby).toBe(true);
  await standby?.stop();
  standby = undefined;
  expect(await readRows()).toEqual({ standby: false, rows: 2 });
  await replica.check();
  expect((await readRows())?.standby).toBe(false);
  await startStandby();
  await waitUntilServedBy(true);
}, 120_000);
