import { join } from 'node:path';
import { readMigrations } from '@husky/runtime/database/migrations';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { databaseServices, roleOf, schemaOf } from '../../up/database.ts';

const { escapeIdentifier: name, escapeLiteral: text } = pg;

/**
 * Writes a database of the platform as SQL that restores it on an empty one, with roles that have no password. The definitions are the texts of the
 * migrations in `tree`, the release that made the database; the rows are read from it. Throws on partitioned tables. No pg_dump: the newest
 * that packages have here refuses the server's version.
 */
export async function dumpDatabase(client: pg.Client, tree: string): Promise<string> {
  const lines: string[] = [];
  for (const service of databaseServices) {
    const schema = name(schemaOf(service));
    const role = name(roleOf(service));
    lines.push(
      `CREATE ROLE ${role} LOGIN;`,
      `CREATE SCHEMA ${schema};`,
      `GRANT USAGE ON SCHEMA ${schema} TO ${role};`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role};`,
      `SET search_path TO ${schema};`,
      ...readMigrations(join(tree, 'services', service, 'prisma/migrations')).map(({ sql }) => sql),
      await migrationsTable(client, schemaOf(service)),
    );
  }
  lines.push("SET session_replication_role TO 'replica';");
  for (const service of databaseServices) lines.push(...(await rowsOf(client, schemaOf(service))));
  return `${lines.join('\n')}\n`;
}

/** The table of applied migrations is the only one that no migration creates. */
async function migrationsTable(client: pg.Client, schema: string): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    sql`SELECT format('%I %s%s', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
       || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')) AS column
     FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = format('%I._prisma_migrations', ${schema}::text)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return `CREATE TABLE _prisma_migrations (${rows.map(({ column }) => column).join(', ')}, PRIMARY KEY (id));`;
}

interface Table {
  readonly table: string;
  readonly kind: string;
  readonly columns: readonly string[];
}

async function rowsOf(client: pg.Client, schema: string): Promise<string[]> {
  const lines: string[] = [];
  const { rows: tables } = await client.query<Table>(
    sql`SELECT relname AS table, relkind AS kind, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     WHERE relnamespace = ${schema}::regnamespace AND relkind IN ('r', 'p') GROUP BY 1, 2 ORDER BY 1`,
  );
  for (const { table, kind, columns } of tables) {
    if (kind === 'p') throw new Error(`${schema}.${table} has partitions`);
    const whole = `${name(schema)}.${name(table)}`;
    const list = columns.map(name).join(', ');
    // Migrations insert some.
    lines.push(`DELETE FROM ${whole};`);
    const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${whole} t`);
    for (const { row } of rows) {
      const from = `jsonb_populate_record(NULL::${whole}, ${text(row)})`;
      lines.push(`INSERT INTO ${whole} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${from};`);
    }
  }
  const { rows: sequences } = await client.query<{ sequence: string; value: string }>(
    sql`SELECT format('%I.%I', schemaname, sequencename) AS sequence, last_value::text AS value
     FROM pg_sequences WHERE schemaname = ${schema} AND last_value IS NOT NULL`,
  );
  for (const { sequence, value } of sequences) lines.push(`SELECT setval(${text(sequence)}, ${value});`);
  return lines;
}
