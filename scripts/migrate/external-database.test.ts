// Tests the migration step and a service's database with an external PostgreSQL that accepts only TLS connections.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@husky/platform/free-port';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { requireTls } from '@husky/platform/require-tls';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { openMigrated } from '@husky/runtime/database/postgres';
import { sql } from '@husky/runtime/database/sql';
import { withinCall } from '@husky/runtime/rpc/call-context';
import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { clientOver, migrations } from '../../services/auth/src/store/database.ts';
import { databaseServices, prepareDatabase, roleOf } from '../up/database.ts';
import { Secrets } from '../up/secrets.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder: string;
let server: PostgresServer;
let adminUrl: URL;
let secrets: Secrets;

beforeAll(async () => {
  folder = mkdtempSync(join(inject('husky').folder, 'external-'));
  server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    password: 'an admin password',
    throwAway: true,
  });
  secrets = new Secrets(folder);
  for (const service of databaseServices) secrets.value(`database-${service}`);
  writeFileSync(join(folder, 'admin-password'), 'an admin password\n');
  const authority = await createAuthority('database');
  const issued = await issueCertificate(authority, ['localhost']);
  writeFileSync(join(folder, 'ca.crt'), authority.certificate);
  writeFileSync(join(folder, 'other-ca.crt'), (await createAuthority('another')).certificate);
  await requireTls(server, issued);
  adminUrl = new URL(`postgresql://postgres@localhost:${server.port}/postgres`);
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const withParameters = (query: string) => `${adminUrl.href}${query === '' ? '' : `?${query}`}`;
const trustedCa = () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, 'ca.crt'))}`;

async function migrate(query: string): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    WAIT_SECONDS: '20',
    DATABASE_ADMIN_URL: withParameters(query),
    DATABASE_ADMIN_PASSWORD_FILE: join(folder, 'admin-password'),
    MIGRATE_DIR: folder,
  };
  return run(process.execPath, [join(root, 'scripts/migrate/main.ts')], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

test.each([
  ['without sslmode', () => '', 'PostgreSQL accepts TLS connections only: set sslmode'],
  [
    'with another CA',
    () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, 'other-ca.crt'))}`,
    'The certificate of PostgreSQL is not accepted',
  ],
  ['without the file of the CA', () => 'sslmode=verify-full&sslrootcert=/missing', 'The file /missing'],
])('the migration step %s fails immediately and prints the cause', async (_case, query, message) => {
  const { code, output } = await migrate(query());
  expect(output).toContain(message);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
});

/** Requests to cancel a statement use a connection of their own, which needs TLS, too. */
async function expectCancelledRead(pool: pg.Pool): Promise<void> {
  const abort = new AbortController();
  const reading = withinCall({ signal: abort.signal }, () => pool.query(sql`SELECT pg_sleep(60)`));
  const running = () => pool.query(sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
  await vi.waitFor(async () => expect((await running()).rowCount).toBe(1), { timeout: 10_000 });
  abort.abort();
  await expect(reading).rejects.toMatchObject({ code: '57014' });
}

test('the migration step and a service connect over TLS with the same settings', async () => {
  const first = await migrate(trustedCa());
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toMatch(/applied [1-9]\d* new migrations/);

  const settings = {
    url: databaseUrl(roleOf('auth')),
    password: readFileSync(secrets.file('database-auth'), 'utf8').trim(),
    schema: 'auth',
    poolSize: 2,
  };
  const database = await openMigrated(settings, migrations, clientOver);
  try {
    expect(await database.prisma.apiToken.count()).toBe(0);
    const { rows } = await database.pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true }]);
    await expectCancelledRead(database.pool);
  } finally {
    await database.close();
  }
  const plain = { ...settings, url: settings.url.split('?')[0] ?? '' };
  await expect(openMigrated(plain, migrations, clientOver)).rejects.toThrow('PostgreSQL accepts TLS connections only');
});

test('refuses the schema of a newer version unless additive migrations are allowed and no breaking one was applied', async () => {
  const url = withParameters(trustedCa()).replace('postgres@', `postgres:${encodeURIComponent('an admin password')}@`);
  await prepareDatabase(url, secrets, root);
  const husky = new URL(url);
  husky.pathname = '/husky';
  const client = new pg.Client(connectionOptions(husky.href));
  await client.connect();
  try {
    await client.query(
      `INSERT INTO pool._prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', '', '29990101000000_later', now())`,
    );
    const refused = await migrate(trustedCa());
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(
      'The database schema pool is of a newer version, it has migration 29990101000000_later',
    );
    expect(await prepareDatabase(url, secrets, root, { allowNewer: true })).toBe(0);
    await client.query(`UPDATE pool._prisma_migrations SET logs = 'breaking' WHERE id = 'later'`);
    await expect(prepareDatabase(url, secrets, root, { allowNewer: true })).rejects.toThrow('is of a newer version');
  } finally {
    await client.query(`DELETE FROM pool._prisma_migrations WHERE id = 'later'`);
    await client.end();
  }
});

test('refuses the schema of an older version and names the missing migration', async () => {
  const migrations = createMigrations('20010101000000_first');
  await expect(openMigrated(poolSettings(), migrations, withoutPrisma)).rejects.toThrow(
    'of an older version, it lacks migration 20010101000000_first: run the migrations first',
  );
});

test('waits for a migration that another process applies and logs the cause once', async () => {
  const migrations = createMigrations('20010101000000_second');
  const logged: string[] = [];
  const log = { info: (text: string) => void logged.push(text) } as never;
  const settings = { ...poolSettings(), allowNewer: true, migrationWaitMs: 20_000 };
  const opening = openMigrated(settings, migrations, withoutPrisma, log);
  await expect.poll(() => logged).toEqual([expect.stringContaining('it lacks migration 20010101000000_second')]);
  const client = new pg.Client(connectionOptions(databaseUrl('postgres', 'an admin password')));
  await client.connect();
  try {
    await client.query(
      `INSERT INTO pool._prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('second', '', '20010101000000_second', now())`,
    );
    await (await opening).close();
    expect(logged).toHaveLength(1);
  } finally {
    await client.query(`DELETE FROM pool._prisma_migrations WHERE id = 'second'`);
    await client.end();
  }
});

test('throws the last cause if the waiting time expires', async () => {
  const settings = { ...poolSettings(), password: 'wrong', migrationWaitMs: 1000 };
  const migrations = createMigrations('20010101000000_third');
  await expect(openMigrated(settings, migrations, withoutPrisma)).rejects.toThrow('password authentication failed');
});

const withoutPrisma = () => ({ $disconnect: () => Promise.resolve() });

/** Creates a folder that contains only this migration. */
function createMigrations(name: string): string {
  const migrations = mkdtempSync(join(folder, 'migrations-'));
  mkdirSync(join(migrations, name));
  writeFileSync(join(migrations, name, 'migration.sql'), 'SELECT 1;');
  return migrations;
}

const poolSettings = () => ({
  url: databaseUrl(roleOf('pool')),
  password: readFileSync(secrets.file('database-pool'), 'utf8').trim(),
  schema: 'pool',
  poolSize: 1,
});

/** Returns the URL of the platform's database for a role. */
function databaseUrl(role: string, password = ''): string {
  const url = new URL(withParameters(trustedCa()));
  url.username = role;
  url.password = encodeURIComponent(password);
  url.pathname = '/husky';
  return url.href;
}
