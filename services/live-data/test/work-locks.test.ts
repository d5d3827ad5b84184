// Locks of background work, on a real PostgreSQL.
import { sql } from '@husky/runtime/database/sql';
import { testDatabase } from '@husky/testkit/servers';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { WorkLocks } from '../src/store/work-locks.ts';
import { settingsOf, startLiveData } from './service.ts';

const database = await testDatabase('live-data');
afterAll(() => database.drop());

function openReplica(): WorkLocks {
  const locks = new WorkLocks(settingsOf(database));
  onTestFinished(() => locks.close());
  return locks;
}

/** Starts work that lasts until `end` is called. */
async function begin(locks: WorkLocks, name: string) {
  const begun = Promise.withResolvers<void>();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const done = locks.run(name, async () => {
    begun.resolve();
    await promise;
  });
  await Promise.race([begun.promise, done.then(() => Promise.reject(new Error(`${name} is locked`)))]);
  return { end, done };
}

/** Returns whether `locks` does work of this name. */
async function works(locks: WorkLocks, name: string): Promise<boolean> {
  let worked = false;
  await locks.run(name, async () => {
    worked = true;
  });
  return worked;
}

/** Returns the backend of each lock that is held. */
async function backends(): Promise<number[]> {
  const { rows } = await database.admin.query<{ pid: number }>(
    sql`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

test('one replica at a time does work of one name, once', async () => {
  const [one, two] = [openReplica(), openReplica()];
  const work = await begin(one, 'retention');
  expect(await works(two, 'retention')).toBe(false);
  expect(await works(one, 'retention')).toBe(false);
  expect(await works(two, 'exports')).toBe(true);
  expect(await works(one, 'exports')).toBe(true);
  work.end();
  await work.done;
  expect(await works(two, 'retention')).toBe(true);
  expect(await works(one, 'retention')).toBe(true);
});

test('the locks of a replica are on one connection, which is closed after the last one', async () => {
  const locks = openReplica();
  const begun = await Promise.all(
    ['retention', 'exports', 'hand_indexes', 'match_values'].map((name) => begin(locks, name)),
  );
  const held = await backends();
  expect(held).toHaveLength(4);
  expect(new Set(held).size).toBe(1);
  for (const { end } of begun) end();
  await Promise.all(begun.map(({ done }) => done));
  const open = sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${held[0]}`;
  await expect.poll(async () => (await database.admin.query(open)).rowCount).toBe(0);
});

test('work that fails leaves no lock', async () => {
  const [one, two] = [openReplica(), openReplica()];
  const failed = one.run('retention', () => Promise.reject(new Error('crash')));
  await expect(failed).rejects.toThrow('crash');
  expect(await works(two, 'retention')).toBe(true);
});

test('work whose lock is lost is finished and then fails; later locks are on a new connection', async () => {
  const [one, two] = [openReplica(), openReplica()];
  const work = await begin(one, 'retention');
  const [lost] = await backends();
  await database.admin.query(sql`SELECT pg_terminate_backend(${lost})`);
  await expect.poll(() => works(two, 'retention')).toBe(true);
  // The end of the connection arrives here later than at PostgreSQL.
  await expect.poll(() => works(one, 'exports').catch(() => false)).toBe(true);
  expect(await works(one, 'retention'), 'it still runs here').toBe(false);
  work.end();
  await expect(work.done).rejects.toThrow('the locks were lost');
  expect(await works(one, 'retention')).toBe(true);
});

test('each work fails while PostgreSQL cannot be reached', async () => {
  const { url, password } = database;
  const away = new URL(url);
  away.port = '1';
  const locks = new WorkLocks({ ...settingsOf(database), url: away.href, password });
  onTestFinished(() => locks.close());
  for (let attempt = 0; attempt < 2; attempt++) await expect(works(locks, 'retention')).rejects.toThrow('ECONNREFUSED');
});

test('background work is done by a service with a single connection to its database', async () => {
  const live = await startLiveData({ poolSize: 1 });
  onTestFinished(() => live.stop());
  const { match } = await live.finishMatch({ numRounds: 10 });
  const { admin: pool } = live.database;
  await pool.query(sql`DELETE FROM live_data.hand_indexes WHERE job_id = ${match.jobId}`);
  const stored = sql`SELECT 1 FROM live_data.hand_indexes WHERE job_id = ${match.jobId}`;
  // A replica that starts looks for matches without an index.
  const replica = await live.startReplica();
  await vi.waitFor(async () => expect((await pool.query(stored)).rowCount).toBe(1), { timeout: 20_000, interval: 50 });
  await replica.stop();
});
