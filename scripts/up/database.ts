import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connectionOptions } from '@husky/runtime/database-url';
import { applyMigrations } from '@husky/runtime/migrations';
import pg from 'pg';
import type { Secrets } from './secrets.ts';

export const databaseName = 'husky';

/** Services with a schema of their own, in the order in which they are migrated. */
export const databaseServices = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'] as const;

export const schemaOf = (service: string): string => service.replaceAll('-', '_');
export const roleOf = (service: string): string => `husky_${schemaOf(service)}`;

/**
 * Creates the database and a role for each service if missing, and applies new migrations. Returns their number. Idempotent.
 * Throws one sentence when a schema is of a newer version; `allowNewer` permits newer ones that only add.
 */
export async function prepareDatabase(
  adminUrl: string,
  secrets: Secrets,
  root: string,
  allowNewer = false,
): Promise<number> {
  const server = new pg.Client(connectionOptions(adminUrl));
  try {
    await server.connect();
    await prepareRoles(server, secrets);
  } finally {
    await server.end().catch(() => undefined);
  }

  const url = new URL(adminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client(connectionOptions(url.href));
  await client.connect();
  let applied = 0;
  try {
    for (const service of databaseServices) {
      const folder = join(root, 'services', service, 'prisma/migrations');
      if (!existsSync(folder)) continue;
      const set = { schema: schemaOf(service), folder };
      applied += (await applyMigrations(client, set, roleOf(service), allowNewer)).length;
    }
  } finally {
    await client.end();
  }
  return applied;
}

async function prepareRoles(server: pg.Client, secrets: Secrets): Promise<void> {
  const exists = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
  if (exists.rowCount === 0) await server.query(`CREATE DATABASE ${databaseName}`);
  await server.query(`REVOKE ALL ON DATABASE ${databaseName} FROM PUBLIC`);
  for (const service of databaseServices) {
    const role = roleOf(service);
    const password = pg.escapeLiteral(secrets.value(`database-${service}`).value);
    const known = await server.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    await server.query(`${known.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${role} LOGIN PASSWORD ${password}`);
    await server.query(`GRANT CONNECT ON DATABASE ${databaseName} TO ${role}`);
  }
}
