// Tests two installations on one PostgreSQL: the second one cannot take over the database and roles of the first one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { connectionOptions } from '@husky/runtime/database/database-url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseServices, prepareDatabase, roleOf } from '../up/database.ts';
import type { Owner } from '../up/database-owner.ts';
import { Secrets } from '../up/secrets.ts';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let server: PostgresServer;

beforeAll(async () => {
  folder = mkdtempSync(join(inject('husky').folder, 'releases-'));
  server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    password: 'an admin password',
    throwAway: true,
  });
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function createSecrets(installation: string): Secrets {
  const dataDir = join(folder, installation);
  mkdirSync(dataDir, { recursive: true });
  return new Secrets(dataDir);
}

/** Runs the migration step of an installation, with its own passwords. */
const migrate = (
  installation: string,
  owner: Owner | undefined,
  names: { database?: string; rolePrefix?: string } = {},
) => prepareDatabase(server.adminUrl, createSecrets(installation), root, { ...names, ...(owner && { owner }) });

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(connectionOptions(server.adminUrl));
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function canSignIn(installation: string, database: string, prefix?: string): Promise<boolean> {
  const { value } = createSecrets(installation).value('database-auth');
  const client = new pg.Client({
    ...connectionOptions(server.adminUrl),
    user: roleOf('auth', prefix),
    password: value,
    database,
  });
  return client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}

const databaseComment = `SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = 'husky'`;
const prod: Owner = { name: 'prod/husky', id: '1a' };
const staging: Owner = { name: 'staging/husky', id: '2b' };

test('the migration step adds the installation to the comments of an unmarked database and its roles', async () => {
  expect(await migrate('prod', undefined)).toBeGreaterThan(0);
  await query(`COMMENT ON DATABASE husky IS 'poker; ask Ann'`);
  expect(await migrate('prod', { name: 'prod/husky' })).toBe(0);
  expect(await query(databaseComment)).toEqual(['poker; ask Ann (husky-holdem installation prod/husky)']);
  await migrate('prod', prod);
  expect(await query(databaseComment)).toEqual(['poker; ask Ann (husky-holdem installation prod/husky 1a)']);
  expect(await query(`SELECT shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = 'husky_pool'`)).toEqual([
    'husky-holdem installation prod/husky 1a',
  ]);
});

test.each<[string, Owner, { database?: string; rolePrefix?: string }, string]>([
  [
    'with the same names',
    staging,
    {},
    'The database husky belongs to the installation prod/husky 1a, this is staging/husky 2b',
  ],
  [
    'with the same roles',
    staging,
    { database: 'husky_b' },
    'The database role husky_auth belongs to the installation prod/husky 1a',
  ],
  ['with the same database', staging, { rolePrefix: 'b_' }, 'The database husky belongs to'],
  [
    'of the same name in another cluster',
    { name: 'prod/husky', id: '3c' },
    {},
    'this is prod/husky 3c: set postgresql.external.database',
  ],
])('refuses a second installation %s without changes', async (_case, owner, names, message) => {
  await expect(migrate('staging', owner, names)).rejects.toThrow(message);
  expect(await canSignIn('prod', 'husky')).toBe(true);
  expect(await query(`SELECT count(*) FROM pg_database WHERE datname = 'husky_b'`)).toEqual(['0']);
  expect(await query(`SELECT count(*) FROM pg_roles WHERE rolname LIKE 'b\\_%'`)).toEqual(['0']);
});

test('accepts a second installation with its own database and roles', async () => {
  const names = { database: 'husky-b', rolePrefix: 'b_' };
  expect(await migrate('staging', staging, names)).toBeGreaterThan(0);
  expect(await migrate('staging', staging, names)).toBe(0);
  expect(await canSignIn('staging', 'husky-b', 'b_')).toBe(true);
  expect(await canSignIn('staging', 'husky', 'b_')).toBe(false);
  expect(await canSignIn('prod', 'husky')).toBe(true);
});

test('changes passwords of its own roles, but not of unmarked roles with another password', async () => {
  writeFileSync(createSecrets('prod').file('database-auth'), 'another\n');
  await migrate('prod', prod);
  expect(await canSignIn('prod', 'husky')).toBe(true);
  for (const service of databaseServices) await query(`COMMENT ON ROLE ${roleOf(service)} IS NULL`);
  await query('COMMENT ON DATABASE husky IS NULL');
  await expect(migrate('staging', staging)).rejects.toThrow(
    /^The database role husky_\w+ has another password than in the installation staging\/husky 2b, so it belongs to another installation/,
  );
  expect(await canSignIn('prod', 'husky')).toBe(true);
  await migrate('prod', prod);
});

test('takes over the database of another installation if `replaces` names it exactly', async () => {
  await expect(migrate('staging', { ...staging, replaces: 'prod/husky' })).rejects.toThrow('To take it over');
  await migrate('staging', { ...staging, replaces: 'prod/husky 1a' });
  expect(await query(databaseComment)).toEqual(['husky-holdem installation staging/husky 2b']);
  expect(await canSignIn('staging', 'husky')).toBe(true);
  await expect(migrate('prod', prod)).rejects.toThrow('belongs to the installation staging/husky 2b');
});
