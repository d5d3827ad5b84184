// The deletion of an account, on a whole platform: nothing of what services/lib/testkit/src/personal-columns.ts calls cleared remains.
import { randomUUID } from 'node:crypto';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { raw, type Sql, sql } from '@husky/runtime/database/sql';
import { cleared } from '@husky/testkit/personal-columns';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { runningDatabaseUrl } from '../../scripts/up/database.ts';
import * as client from './client.ts';

const database = new pg.Pool({ ...connectionOptions(runningDatabaseUrl(inject('platform').dataDir)), max: 2 });
afterAll(() => database.end());

const marker = `marker_${process.pid}`;
const hex = Buffer.from(marker).toString('hex');

/** The value that puts the marker into a column of a type. */
const marked = (type: string, id: string) =>
  ({
    text: sql`${marker}::text`,
    bytea: sql`convert_to(${marker}, 'UTF8')`,
    jsonb: sql`jsonb_build_object('names', jsonb_build_object(${id}::text, ${marker}::text))`,
  })[type] ?? expect.fail(`no marker for a column of type ${type}`);

async function mark(column: string, id: string): Promise<void> {
  const [schema, table, name] = column.split('.') as [string, string, string];
  const { rows } = await database.query<{ udt_name: string }>(
    sql`SELECT udt_name FROM information_schema.columns WHERE table_schema = ${schema} AND table_name = ${table} AND column_name = ${name}`,
  );
  const owners: Readonly<Record<string, Sql>> = {
    users: sql`id = ${id}`,
    exports: sql`input -> 'names' ? ${id}`,
    authorings: sql`id IN (SELECT id FROM submission.submissions WHERE user_id = ${id})`,
    trials: sql`owner_id = ${id}`,
    trial_sets: sql`trial_id IN (SELECT id FROM simulation.trials WHERE owner_id = ${id})`,
  };
  const owner = owners[table] ?? sql`user_id = ${id}`;
  const value = marked(rows[0]?.udt_name ?? '', id);
  const target = raw(`${schema}.${table}`);
  // One row, since some columns are unique.
  const update = sql`UPDATE ${target} SET ${raw(name)} = ${value} WHERE ctid = (SELECT ctid FROM ${target} WHERE ${owner} LIMIT 1)`;
  await expect.poll(async () => (await database.query(update)).rowCount, { message: `a row of ${column}` }).toBe(1);
}

/** Returns the columns that contain the marker. */
async function markedColumns(): Promise<string[]> {
  const { rows: tables } = await database.query<{ schema: string; name: string }>(
    sql`SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found = new Set<string>();
  for (const { schema, name } of tables) {
    const { rows } = await database.query<{ column: string }>(
      sql`SELECT DISTINCT field.key AS column FROM ${raw(`${schema}."${name}"`)} t, jsonb_each(to_jsonb(t)) field
          WHERE t::text LIKE ANY (ARRAY[${`%${marker}%`}, ${`%${hex}%`}]) AND field.value::text LIKE ANY (ARRAY[${`%${marker}%`}, ${`%${hex}%`}])`,
    );
    for (const { column } of rows) found.add(`${schema}.${name}.${column}`);
  }
  return [...found].sort();
}

test('after the deletion of an account no column has what was marked as its own', async () => {
  const admin = await client.adminToken();
  const players = await client.registerPlayers(Array.from({ length: 6 }, () => 'calling-station'));
  const [{ username, token }] = players as [(typeof players)[number]];
  const newToken = { name: 'program', scopes: ['read'], expires_in_days: 1 };
  client.expectStatus(await client.post('/auth/tokens', newToken, token), 201);
  const match = { users_list: players.map((player) => player.username), num_rounds: 10 };
  client.expectStatus(await client.post('/sim/async_run_user', match, admin), 200);
  const { rows } = await database.query<{ id: string }>(sql`SELECT id FROM auth.users WHERE username = ${username}`);
  const id = rows[0]?.id ?? '';
  // What still happens to the account, such as the test run of its upload, may write to a column after it was marked.
  await client.tested(token);
  await database.query(
    sql`INSERT INTO live_data.exports (id, batch_id, signature, state, job_ids, for_public, created_by, input)
        VALUES (${randomUUID()}, ${randomUUID()}, ${id}, 'ready', '{}', false, ${id}, jsonb_build_object('names', jsonb_build_object(${id}::text, 'x')))`,
  );
  await database.query(
    sql`INSERT INTO submission.authorings (id, archive, record) SELECT id, '', '{}' FROM submission.submissions WHERE user_id = ${id} LIMIT 1`,
  );
  const trial = randomUUID();
  await database.query(
    sql`INSERT INTO simulation.trials (id, owner_id, a, b, field, alpha, margin, max_hands, num_rounds, seats, state, created_at, ended_at)
        VALUES (${trial}, ${id}, ${randomUUID()}, ${randomUUID()}, 'house', 0.05, 5, 1200, 10, '[]', 'cancelled', now(), now())`,
  );
  await database.query(
    sql`INSERT INTO simulation.trial_sets (id, trial_id, planned, state, created_at) VALUES (${randomUUID()}, ${trial}, 1, 'void', now())`,
  );
  await expect
    .poll(
      async () => {
        const found = await markedColumns();
        for (const column of cleared) if (!found.includes(column)) await mark(column, id);
        return markedColumns();
      },
      { timeout: 20_000 },
    )
    .toEqual([...cleared].sort());

  client.expectStatus(await client.remove(`/admin/user/${marker}`, admin), 200);
  await expect.poll(markedColumns, { timeout: 20_000 }).toEqual([]);
});
