import { sql } from '@husky/runtime/sql';
import pg from 'pg';
import { playShape } from './played.ts';
import { createStatements, type Sizes } from './statements.ts';

const schemas = ['auth', 'submission', 'simulation', 'live_data', 'leaderboard', 'pool'];

/** Fills a migrated database, while services may be running. `url`: a superuser's. Throws if the database has jobs. */
export async function seedLarge(url: string, sizes: Sizes, print: (line: string) => void): Promise<void> {
  // 35 hands with six players, 10 heads-up: on average 20 hands per job.
  const [six, two] = await Promise.all([playShape(6, 35), playShape(2, 10)]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ jobs: number }>('SELECT count(*)::int AS jobs FROM simulation.jobs');
    if (rows[0]?.jobs !== 0) throw new Error('this database has jobs: only an empty one can be filled');
    const startedMs = performance.now();
    for (const { label, sql } of createStatements(sizes, six, two)) {
      const statementStartedMs = performance.now();
      await client.query(sql);
      print(`${label}: ${((performance.now() - statementStartedMs) / 1000).toFixed(1)} s`);
    }
    for (const schema of schemas) {
      const tables = await client.query<{ name: string }>(
        sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ${schema}`,
      );
      for (const { name } of tables.rows) await client.query(`VACUUM (ANALYZE) ${name}`);
    }
    const games = await client.query<{ games: string }>('SELECT sum(hands) AS games FROM live_data.matches');
    print(
      `${games.rows[0]?.games} games; filled and analysed in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    );
  } finally {
    await client.end();
  }
}
