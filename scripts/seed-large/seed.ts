import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { playShape, type Shape } from './played.ts';
import { countBatches, createStatements, type First, type Sizes } from './statements.ts';

const schemas = ['auth', 'submission', 'simulation', 'live_data', 'leaderboard', 'pool'];

/** Approximate mean number of hands of a seeded job: 35 with six players, 10 heads-up. */
const handsOfJob = 20;
/** Jobs of one transaction. An interrupted run keeps the earlier ones. */
const jobsInBlock = 20_000;
/** Fewer jobs have no batch of a useful size. */
const minJobs = 100;
export const minHands = minJobs * handsOfJob;

type Print = (line: string) => void;
type Shapes = readonly [six: Shape, two: Shape];

const playShapes = (): Promise<Shapes> => Promise.all([playShape(6, 35), playShape(2, 10)]);
const secondsSince = (startedMs: number) => ((performance.now() - startedMs) / 1000).toFixed(1);

/** Adds users, jobs and hands to a migrated database, while services may be running. `url`: a superuser's. */
export async function seedLarge(url: string, sizes: Sizes, print: Print): Promise<void> {
  const shapes = await playShapes();
  await withClient(url, async (client) => {
    const startedMs = performance.now();
    await addBlock(client, sizes, shapes, print);
    await analyse(client);
    print(`${await countHands(client)} hands; filled and analysed in ${secondsSince(startedMs)} s`);
  });
}

/**
 * Adds at least this number of hands to the database of a platform, in blocks, after all existing users, jobs and batches. Prints the
 * progress and the bytes per hand. Nothing existing is changed except totals. `url`: a superuser's.
 */
export async function appendHands(url: string, hands: number, print: Print): Promise<void> {
  const shapes = await playShapes();
  await withClient(url, async (client) => {
    const startedMs = performance.now();
    const [bytesBefore, handsBefore] = [await countBytes(client), await countHands(client)];
    let added = 0;
    while (added < hands) {
      // Blocks have different numbers of hands per job, so the rest is computed again after each block.
      const rest = Math.max(Math.ceil((hands - added) / handsOfJob), minJobs);
      await addBlock(client, blockOf(Math.min(rest, jobsInBlock)), shapes, () => undefined);
      added = (await countHands(client)) - handsBefore;
      print(`${added} hands, ${Math.min(100, Math.floor((100 * added) / hands))} % after ${secondsSince(startedMs)} s`);
    }
    await analyse(client);
    const bytes = (await countBytes(client)) - bytesBefore;
    print(
      `added ${added} hands in ${secondsSince(startedMs)} s: ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / added).toFixed(0)} bytes per hand with everything around it`,
    );
  });
}

/** A multiple of ten users: with some other numbers a user would play twice in one match. */
const blockOf = (jobs: number): Sizes => ({
  users: Math.max(20, 10 * Math.ceil(jobs / 100)),
  jobs,
  audits: 2 * jobs,
  pausedBatch: false,
});

async function withClient(url: string, action: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The query in progress fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await action(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Adds rows in one transaction. */
async function addBlock(client: pg.Client, sizes: Sizes, [six, two]: Shapes, print: Print): Promise<void> {
  const first = await reserveNumbers(client, sizes.jobs);
  await client.query('BEGIN');
  try {
    for (const { label, sql } of createStatements(sizes, first, six, two)) {
      const startedMs = performance.now();
      await client.query(sql);
      print(`${label}: ${secondsSince(startedMs)} s`);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Takes numbers for jobs and their batches, so that running services do not use them. */
async function reserveNumbers(client: pg.Client, jobs: number): Promise<First> {
  await client.query('BEGIN');
  // Services take a number while they hold a lock that conflicts with this one.
  await client.query('LOCK TABLE simulation.jobs, simulation.batches IN SHARE ROW EXCLUSIVE MODE');
  const { rows } = await client.query<{ user: number; job: number; batch: number }>(
    `SELECT (SELECT coalesce(max(substr(username_key, 8)::bigint), 0) + 1 FROM auth.users WHERE username_key ~ '^player_[0-9]{1,12}$')::float AS user,
      nextval('simulation.jobs_job_number_seq')::float AS job, nextval('simulation.batches_batch_number_seq')::float AS batch`,
  );
  const [first] = rows;
  if (first === undefined) throw new Error('PostgreSQL returned no numbers');
  await client.query(sql`SELECT setval('simulation.jobs_job_number_seq', ${first.job + jobs - 1}::bigint),
    setval('simulation.batches_batch_number_seq', ${first.batch + countBatches(jobs) - 1}::bigint)`);
  await client.query('COMMIT');
  return first;
}

async function analyse(client: pg.Client): Promise<void> {
  for (const schema of schemas) {
    const tables = await client.query<{ name: string }>(
      sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ${schema}`,
    );
    for (const { name } of tables.rows) await client.query(`VACUUM (ANALYZE) ${name}`);
  }
}

async function countHands(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ hands: number }>(
    'SELECT coalesce(sum(hands), 0)::float AS hands FROM live_data.match_totals',
  );
  return rows[0]?.hands ?? 0;
}

async function countBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float AS bytes');
  return rows[0]?.bytes ?? 0;
}
