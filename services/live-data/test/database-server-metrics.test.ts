import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureDatabaseServer } from '../src/database-server-metrics.ts';

const folder = mkdtempSync(join(tmpdir(), 'husky-server-metrics-'));
let server: PostgresServer;
let admin: pg.Pool;
let reader: pg.Pool;
let stop: () => void;
const telemetry = await startTelemetry('live-data');

const readMetric = async (metric: string) => {
  const line = (await telemetry.metricsText()).split('\n').find((text) => text.startsWith(`${metric}{`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: 'secret',
    // The volume of the archive is full until this file exists.
    settings: ['archive_mode=on', `archive_command=test -f ${folder}/space`, 'autovacuum=off'],
  });
  admin = new pg.Pool({ connectionString: server.adminUrl });
  await admin.query(`CREATE ROLE service LOGIN PASSWORD 'secret'`);
  const url = new URL(server.adminUrl);
  url.username = 'service';
  url.password = 'secret';
  reader = new pg.Pool({ connectionString: url.href });
  // The last test ends PostgreSQL and with it idle connections.
  for (const pool of [admin, reader]) pool.on('error', () => undefined);
  stop = measureDatabaseServer(reader);
}, 120_000);

afterAll(async () => {
  stop?.();
  await reader?.end();
  await admin?.end();
  await server?.stop();
  await telemetry.shutdown();
  rmSync(folder, { recursive: true, force: true });
});

test("exports size and dead rows of all tables to a service's role", async () => {
  await admin.query('CREATE TABLE other (id int)');
  await admin.query('INSERT INTO other SELECT generate_series(1, 500)');
  await admin.query('DELETE FROM other WHERE id <= 300');
  await expect.poll(() => readMetric('husky_database_dead_rows'), { timeout: 30_000 }).toBe(300);
  expect(await readMetric('husky_database_size')).toBeGreaterThan(1_000_000);
});

test('reports that archiving fails until it succeeds again', async () => {
  const switchSegment = () => admin.query('SELECT pg_switch_wal()');
  expect(await readMetric('husky_wal_archive_failing')).toBe(0);
  await switchSegment();
  await expect.poll(() => readMetric('husky_wal_archive_failing'), { timeout: 30_000 }).toBe(1);
  writeFileSync(join(folder, 'space'), '');
  await admin.query('CREATE TABLE more ()');
  await switchSegment();
  await expect.poll(() => readMetric('husky_wal_archive_failing'), { timeout: 90_000 }).toBe(0);
}, 150_000);

test('exports nothing while PostgreSQL is away', async () => {
  await server.stop();
  expect(await readMetric('husky_database_size')).toBeUndefined();
});
