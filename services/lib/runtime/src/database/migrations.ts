import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { sql } from './sql.ts';

export interface MigrationSet {
  readonly schema: string;
  /** `<service>/prisma/migrations`, see readMigrations. */
  readonly folder: string;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const lockKey = 20251121;

/**
 * Reads the migrations of a folder, oldest first: names start with a timestamp. Each has a folder in Prisma's layout; those of an old release
 * are in `<version>.sql`, each after a line `-- migration <name>`.
 */
export function readMigrations(folder: string): Migration[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const released = globSync('*.sql', { cwd: folder }).flatMap((file) =>
    read(file)
      .split(/^-- migration (?=\d)/m)
      .slice(1)
      .map((section) => section.split(/\n(.*)/s))
      .map(([name = '', text = '']) => toMigration(name, text)),
  );
  const current = globSync('*/migration.sql', { cwd: folder }).map((file) =>
    toMigration(basename(dirname(file)), read(file)),
  );
  return [...released, ...current].sort((one, two) => (one.name < two.name ? -1 : 1));
}

const toMigration = (name: string, text: string): Migration => ({
  name,
  sql: text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

/** Returns the names of the migrations of a folder, oldest first. Throws when there is none. */
export function migrationNames(folder: string): string[] {
  const names = existsSync(folder) ? readMigrations(folder).map(({ name }) => name) : [];
  if (names.length === 0) throw new Error(`There are no migrations in ${folder}`);
  return names;
}

/** Value of `_prisma_migrations.logs` for a migration with which the previous release cannot run. */
const breaking = 'breaking';
/** The comment that marks a migration as breaking. */
const breakingLine = /^-- breaking\b/m;

export class NewerSchemaError extends Error {}

/**
 * Throws NewerSchemaError with one sentence when the schema has migrations that this version does not know. With `allowNewer` only those are refused
 * that are marked as breaking; the others only add, so that this version can use the schema.
 */
export function refuseNewer(
  schema: string,
  applied: readonly { readonly migration_name: string; readonly logs: string | null }[],
  known: readonly string[],
  allowNewer: boolean,
): void {
  const unknown = applied.filter((row) => !known.includes(row.migration_name));
  const refused = unknown.find((row) => !allowNewer || row.logs === breaking);
  if (refused === undefined) return;
  throw new NewerSchemaError(
    `The database schema ${schema} is of a newer version, it has migration ${refused.migration_name}: start that version, or restore a backup of this one`,
  );
}

/**
 * Applies the missing migrations of one service, each in a transaction, and records them in `_prisma_migrations` as
 * `prisma migrate deploy` does. Creates the schema and grants the service's role rights on data, none on definitions.
 * Returns the applied names. Serialised by an advisory lock; idempotent. Throws when an applied migration has been changed, and
 * when the schema is of a newer version (see refuseNewer).
 */
export async function applyMigrations(
  client: pg.ClientBase,
  set: MigrationSet,
  role: string,
  allowNewer = false,
): Promise<string[]> {
  const schema = pg.escapeIdentifier(set.schema);
  const grantee = pg.escapeIdentifier(role);
  const applied: string[] = [];
  await client.query(sql`SELECT pg_advisory_lock(${lockKey})`);
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${grantee}`);
    await client.query(
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${grantee}`,
    );
    await client.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${grantee}`);
    await client.query(`SET search_path TO ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
      logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`);
    const { rows } = await client.query<{ migration_name: string; checksum: string; logs: string | null }>(
      'SELECT migration_name, checksum, logs FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    const done = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const migrations = readMigrations(set.folder);
    const known = migrations.map(({ name }) => name);
    refuseNewer(set.schema, rows, known, allowNewer);
    for (const migration of migrations) {
      const checksum = done.get(migration.name);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined) {
        throw new Error(`Migration ${set.schema}/${migration.name} was changed after it had been applied`);
      }
      await applyOne(client, set.schema, migration);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.query('SET search_path TO public');
    await client.query(sql`SELECT pg_advisory_unlock(${lockKey})`);
  }
}

async function applyOne(client: pg.ClientBase, schema: string, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    const logs = breakingLine.test(migration.sql) ? breaking : null;
    await client.query(
      sql`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count, logs)
          VALUES (${randomUUID()}, ${migration.checksum}, ${migration.name}, now(), 1, ${logs})`,
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${schema}/${migration.name} failed: ${why}`);
  }
}
