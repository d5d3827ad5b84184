import { readFileSync } from 'node:fs';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { requireVariable } from './settings.ts';

export interface KeycloakDatabase {
  readonly name: string;
  readonly user: string;
  readonly password: string;
}

/** Returns the database to create for the release's own Keycloak; undefined if there is no such Keycloak or it uses another database. */
export function readKeycloakDatabase(): KeycloakDatabase | undefined {
  const name = process.env.KEYCLOAK_DATABASE;
  if (name === undefined || name === '') return undefined;
  const password = readFileSync(requireVariable('KEYCLOAK_DATABASE_PASSWORD_FILE'), 'utf8').trimEnd();
  return { name, user: requireVariable('KEYCLOAK_DATABASE_USER'), password };
}

/** Creates Keycloak's role and database if they are missing, and sets the role's password. Keycloak itself creates the tables. */
export async function prepareKeycloakDatabase(adminUrl: string, desired: KeycloakDatabase): Promise<void> {
  const server = new pg.Client(connectionOptions(adminUrl));
  await server.connect();
  try {
    const [name, user] = [pg.escapeIdentifier(desired.name), pg.escapeIdentifier(desired.user)];
    const role = await server.query(sql`SELECT 1 FROM pg_roles WHERE rolname = ${desired.user}`);
    const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER';
    await server.query(`${verb} ROLE ${user} LOGIN PASSWORD ${pg.escapeLiteral(desired.password)}`);
    const database = await server.query(sql`SELECT 1 FROM pg_database WHERE datname = ${desired.name}`);
    if (database.rowCount === 0) await server.query(`CREATE DATABASE ${name} OWNER ${user}`);
    await server.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  } finally {
    await server.end();
  }
}
