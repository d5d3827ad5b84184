import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { applyMigrations } from '@husky/runtime/database/migrations';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { markOwnership, type Owner, requireOwnership } from './database-owner.ts';
import type { Secrets } from './secrets.ts';

export const databaseName = 'husky';

/** Services with a database schema, in the order of their migration. */
export const databaseServices = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'] as const;

export const schemaOf = (service: string): string => service.replaceAll('-', '_');
export const roleOf = (service: string, prefix = 'husky_'): string => `${prefix}${schemaOf(service)}`;

/** Returns the superuser's URL of the PostgreSQL server that runs on a data folder. Throws if there is none. */
export function runningDatabaseUrl(dataDir: string): string {
  const port = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(dataDir, 'secrets/database-owner'), 'utf8').trimEnd();
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`;
}

export interface DatabaseOptions {
  /** Accepts a newer schema whose additional migrations are not breaking. */
  readonly allowNewer?: boolean;
  /** Default: `databaseName`. */
  readonly database?: string;
  /** Default: the prefix of `roleOf`. */
  readonly rolePrefix?: string | undefined;
  /** The installation to which database and roles must belong; undefined: not checked. */
  readonly owner?: Owner;
}

/**
 * Creates the database and a role for each service if they are missing, and applies new migrations. Returns the number of migrations.
 * Throws an Error if a schema is of a newer version. Throws, before it changes anything, if database or roles belong to another
 * installation.
 */
export async function prepareDatabase(
  adminUrl: string,
  secrets: Secrets,
  root: string,
  { allowNewer = false, database = databaseName, rolePrefix, owner }: DatabaseOptions = {},
): Promise<number> {
  const roles = new Map(
    databaseServices.map((service) => [roleOf(service, rolePrefix), secrets.value(`database-${service}`).value]),
  );
  const server = new pg.Client(connectionOptions(adminUrl));
  try {
    await server.connect();
    await server.query(sql`SELECT pg_advisory_lock(${lockKey})`);
    if (owner !== undefined) await requireOwnership(server, adminUrl, { database, roles }, owner);
    await prepareRoles(server, database, roles);
    if (owner !== undefined) await markOwnership(server, { database, roles }, owner);
  } finally {
    await server.end().catch(() => undefined);
  }

  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client(connectionOptions(url.href));
  await client.connect();
  let applied = 0;
  try {
    for (const service of databaseServices) {
      const folder = join(root, 'services', service, 'prisma/migrations');
      if (!existsSync(folder)) continue;
      const set = { schema: schemaOf(service), folder };
      applied += (await applyMigrations(client, set, roleOf(service, rolePrefix), allowNewer)).length;
    }
  } finally {
    await client.end();
  }
  return applied;
}

/** Advisory lock that serialises the migration steps of installations on one server. */
const lockKey = 20261123;

async function prepareRoles(server: pg.Client, name: string, roles: ReadonlyMap<string, string>): Promise<void> {
  const database = pg.escapeIdentifier(name);
  const exists = await server.query(sql`SELECT 1 FROM pg_database WHERE datname = ${name}`);
  if (exists.rowCount === 0) await server.query(`CREATE DATABASE ${database}`);
  await server.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  for (const [role, password] of roles) {
    const existing = await server.query(sql`SELECT 1 FROM pg_roles WHERE rolname = ${role}`);
    const verb = existing.rowCount === 0 ? 'CREATE' : 'ALTER';
    await server.query(`${verb} ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
    await server.query(`GRANT CONNECT ON DATABASE ${database} TO ${pg.escapeIdentifier(role)}`);
  }
}
