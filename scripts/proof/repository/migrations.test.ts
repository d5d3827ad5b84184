import { join } from 'node:path';
import { sql } from '@husky/runtime/database/sql';
import { cleared, kept } from '@husky/testkit/personal-columns';
import { testDatabase } from '@husky/testkit/servers';
import { expect, test } from 'vitest';
import { databaseServices } from '../../up/database.ts';

interface Field {
  readonly name: string;
  readonly kind: 'scalar' | 'object' | 'enum';
  readonly type: string;
  readonly dbName?: string;
}

interface DataModel {
  readonly models: Record<string, { readonly fields: readonly Field[]; readonly dbName: string | null }>;
}

/** Prisma type -> permitted column types of PostgreSQL. */
const columnTypes: Record<string, readonly string[]> = {
  String: ['text', 'uuid', 'character varying'],
  Boolean: ['boolean'],
  Int: ['integer', 'smallint'],
  BigInt: ['bigint'],
  Float: ['double precision', 'real'],
  Decimal: ['numeric'],
  DateTime: ['timestamp with time zone', 'date'],
  Bytes: ['bytea'],
  Json: ['jsonb', 'json'],
};

async function readDataModel(service: string): Promise<DataModel> {
  const path = join(import.meta.dirname, '../../../services', service, 'src/generated/client.ts');
  const { PrismaClient } = (await import(path)) as { PrismaClient: new (options: object) => object };
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: 'postgresql://nowhere' }) });
  return (client as { _runtimeDataModel: DataModel })._runtimeDataModel;
}

test.each(databaseServices)(
  'the Prisma schema of %s matches the tables that its migrations create',
  async (service) => {
    const database = await testDatabase(service);
    try {
      const { rows } = await database.admin.query<{
        table_name: string;
        column_name: string;
        data_type: string;
        element: string | null;
      }>(
        sql`SELECT c.table_name, c.column_name, c.data_type, e.data_type AS element FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       LEFT JOIN information_schema.element_types e ON e.object_schema = c.table_schema AND e.object_name = c.table_name
         AND e.collection_type_identifier = c.dtd_identifier
       WHERE c.table_schema = ${database.schema} AND c.table_name <> '_prisma_migrations' AND t.table_type = 'BASE TABLE'`,
      );
      const actual = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row.element ?? row.data_type]));
      const described = new Map<string, Field>();
      const { models } = await readDataModel(service);
      for (const [name, model] of Object.entries(models)) {
        for (const field of model.fields.filter(({ kind }) => kind !== 'object')) {
          described.set(`${model.dbName ?? name}.${field.dbName ?? field.name}`, field);
        }
      }
      expect([...described.keys()].sort()).toEqual([...actual.keys()].sort());
      for (const [column, field] of described) {
        const allowed = field.kind === 'enum' ? ['USER-DEFINED'] : columnTypes[field.type];
        expect(allowed, `${column} is ${field.type}`).toContain(actual.get(column));
      }
    } finally {
      await database.drop();
    }
  },
);

// Numbers, truth values, times and ids alone tell nothing about a person whose account is gone.
const impersonal = sql`('int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'bool', 'date', 'timestamp', 'timestamptz', 'uuid')`;

test('each column that can hold something about a person is cleared with the account, or kept for a reason that services/lib/testkit/src/personal-columns.ts names', async () => {
  const found: string[] = [];
  for (const service of databaseServices) {
    const database = await testDatabase(service);
    try {
      const { rows } = await database.admin.query<{ name: string }>(
        sql`SELECT table_schema || '.' || table_name || '.' || column_name AS name
            FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
            WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
              AND udt_name NOT IN ${impersonal}`,
      );
      found.push(...rows.map(({ name }) => name));
    } finally {
      await database.drop();
    }
  }
  const listed = [...cleared, ...Object.values(kept).flat()];
  expect(found.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !found.includes(name))).toEqual([]);
  expect(listed.filter((name, index) => listed.indexOf(name) !== index)).toEqual([]);
});
