// Limits of users, and the removal of ended exports.

import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeRoom } from '../src/exports/remove-exports.ts';
import { nextExport } from '../src/exports/store/exports.ts';
import { deleteMatch } from '../src/load-match.ts';
import { clientOver } from '../src/store/database.ts';
import { admin, anonymous, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
const { admin: pool } = live.database;
const nats = await connectNats(await testNats('live-data'), createLogger('live-data', 'fatal'));
const db = { pool, prisma: clientOver(pool) };
afterAll(async () => {
  await nats.close();
  await db.prisma.$disconnect();
  await live.stop();
});

const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const players = [{ userId: userIdOf('ann'), username: 'ann' }];
let batches = 0;

/** Plays a public batch of one match. */
async function playBatch() {
  batches += 1;
  const batchId = userIdOf(`batch ${batches}`);
  const { match } = await live.finishMatch({ batchId, numRounds: 10 });
  await live.gateway.setBatchVisibility({ batchId, public: true }, { caller: admin });
  return { batchId, jobId: match.jobId };
}

/** Stops the background work of exports until the returned function is called, or the test ends. */
async function pauseExports(): Promise<() => Promise<void>> {
  const client = await pool.connect();
  const lock = sql`hashtext('husky.live_data.exports')`;
  await client.query(sql`SELECT pg_advisory_lock(${lock})`);
  let paused = true;
  const resume = async () => {
    if (!paused) return;
    paused = false;
    await client.query(sql`SELECT pg_advisory_unlock(${lock})`);
    client.release();
  };
  onTestFinished(resume);
  return resume;
}

/** A replica that starts does the work at once. */
async function removeExports(): Promise<void> {
  const replica = await live.startReplica();
  onTestFinished(() => replica.stop());
}

async function startExport(batchId: string): Promise<string> {
  const batch = { batchId, batchNumber: 5, metadataJson: '{"bots":{}}' };
  const request = { scope: { batchId }, players, batches: [batch], site: 'http://site.test' };
  return (await live.gateway.startExport(request, { caller: admin })).id;
}

async function makeExport(batchId: string): Promise<string> {
  const id = await startExport(batchId);
  const state = async () => (await live.gateway.getExport({ id }, { caller: admin })).state;
  await expect.poll(state, { timeout: 30_000 }).toBe('ready');
  return id;
}

async function download(id: string): Promise<void> {
  for await (const _ of live.gateway.downloadExport({ id }, { caller: anonymous }));
}

const count = async (table: 'export_parts' | 'export_files', id: string) => {
  const from = table === 'export_parts' ? sql`export_parts` : sql`export_files`;
  const { rows } = await pool.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM live_data.${from} WHERE export_id = ${id}`,
  );
  return rows[0]?.count;
};

test('drops a large export at once, and deletes its archive in small statements', async () => {
  const { batchId, jobId } = await playBatch();
  const id = await makeExport(batchId);
  await pool.query(
    sql`INSERT INTO live_data.export_parts (export_id, start, length, bytes) SELECT ${id}::uuid, n::bigint * 1000000000, 1, 'x' FROM generate_series(1, 300) n`,
  );
  await pool.query(`
    CREATE FUNCTION cancel_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM deleted) > 100 THEN
        RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';
      END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER cancel_long AFTER DELETE ON live_data.export_parts REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION cancel_long()`);
  const resume = await pauseExports();
  const stored = (await count('export_parts', id)) ?? 0;
  await live.runner.purgeMatch({ jobId });
  expect(await count('export_parts', id)).toBe(stored);
  expect(await refusal(download(id))).toBe('FAILED_PRECONDITION export-ended: A match of this export was deleted.');
  await resume();
  await removeExports();
  await expect.poll(() => count('export_parts', id), { timeout: 20_000 }).toBe(0);
  await expect.poll(() => count('export_files', id)).toBe(0);
  await makeExport((await playBatch()).batchId);
});

test('wakes the work of exports only if the deleted match was in one', async () => {
  const { batchId, jobId } = await playBatch();
  await makeExport(batchId);
  const { jobId: other } = await playBatch();
  const kicked: string[] = [];
  const context = {
    db,
    exporting: { kick: () => kicked.push('exporting') },
    messaging: nats,
  };
  await deleteMatch(context, other);
  expect(kicked).toEqual([]);
  await deleteMatch(context, jobId);
  expect(kicked).toEqual(['exporting']);
});

test('an ended export keeps the number of its matches and of its batch, and neither names nor ids; it is deleted after 30 days', async () => {
  const { batchId, jobId } = await playBatch();
  await live.finishMatch({ batchId, numRounds: 10 });
  const id = await makeExport(batchId);
  await live.runner.purgeMatch({ jobId });
  const ended = await live.gateway.getExport({ id }, { caller: admin });
  expect(ended).toMatchObject({ state: 'dropped', matches: 2, batchNumber: 5, scope: { batchId } });
  const { rows } = await pool.query(sql`SELECT job_ids, input, totals FROM live_data.exports WHERE id = ${id}`);
  const input = { names: {}, site: '', batches: { [batchId]: { number: 5, metadata: '' } } };
  expect(rows).toEqual([{ job_ids: [], input, totals: {} }]);
  await pool.query(sql`UPDATE live_data.exports SET ended_at = now() - interval '31 days' WHERE id = ${id}`);
  await removeExports();
  const read = () => refusal(live.gateway.getExport({ id }, { caller: admin }));
  await expect.poll(read, { timeout: 20_000 }).toMatch(/^NOT_FOUND/);
});

test('empties an export that an earlier release has ended', async () => {
  const { batchId } = await playBatch();
  const id = await makeExport(batchId);
  await pool.query(sql`UPDATE live_data.exports SET state = 'dropped', ended_at = now() WHERE id = ${id}`);
  await removeExports();
  const names = async () =>
    (await pool.query(sql`SELECT job_ids, input -> 'names' AS names, matches FROM live_data.exports WHERE id = ${id}`))
      .rows;
  await expect.poll(names, { timeout: 20_000 }).toEqual([{ job_ids: [], names: {}, matches: 1 }]);
});

test('a user has at most two open exports, however many are started at the same time', async () => {
  await playBatch();
  await pauseExports();
  const start = (days: number) =>
    live.gateway.startExport(
      { scope: { from: dayBefore(days), to: dayBefore(0) }, players, site: 'http://site.test' },
      { caller: user('zoe') },
    );
  const started = await Promise.allSettled(Array.from({ length: 10 }, (_, days) => start(days)));
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const one of started) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'too-many-exports' });
  }
});

test('concurrent calls for the same data start one export', async () => {
  const { batchId } = await playBatch();
  await pauseExports();
  const ids = await Promise.all(Array.from({ length: 10 }, () => startExport(batchId)));
  expect(new Set(ids).size).toBe(1);
});

interface Row {
  readonly name: string;
  readonly by: string;
  readonly from?: string;
  readonly state?: string;
  readonly steps?: number;
  readonly bytes?: number;
}

/** Stores exports, oldest first, in place of all others, while their background work pauses. */
async function storeExports(rows: readonly Row[]): Promise<(id: string | undefined) => string | undefined> {
  onTestFinished(async () => void (await pool.query('DELETE FROM live_data.exports')));
  await pauseExports();
  await pool.query('DELETE FROM live_data.exports');
  for (const [index, { name, by, from = '', state = 'waiting', steps = 0, bytes = 0 }] of rows.entries()) {
    const at = new Date(Date.now() - 60_000 + 1000 * index);
    await pool.query(
      sql`INSERT INTO live_data.exports (id, signature, state, job_ids, for_public, created_by, created_from, input, steps_done, bytes,
          created_at, ended_at)
        VALUES (${userIdOf(name)}, ${name}, ${state}, '{}', true, ${userIdOf(by)}, ${from}, '{"batches":{}}', ${steps}, ${bytes}, ${at},
          ${state === 'ready' ? at : null})`,
    );
  }
  return (id) => rows.find(({ name }) => userIdOf(name) === id)?.name;
}

test.each<[string, string, readonly Row[]]>([
  [
    'the oldest, of accounts that have had nothing',
    'first',
    [
      { name: 'first', by: 'a' },
      { name: 'second', by: 'b' },
    ],
  ],
  [
    'that of the account with the fewest steps, also while another is being made',
    'hers',
    [
      { name: 'ended', by: 'mallory', state: 'ready', steps: 20 },
      { name: 'running', by: 'mallory', state: 'running', steps: 5 },
      { name: 'next', by: 'mallory' },
      { name: 'hers', by: 'alice' },
    ],
  ],
  [
    'one of another address than that of 20 accounts',
    'hers',
    [
      { name: 'running', by: 'm', from: 'crowd', state: 'running', steps: 5 },
      ...Array.from({ length: 20 }, (_, index) => ({ name: `${index}`, by: `m${index}`, from: 'crowd' })),
      { name: 'hers', by: 'alice', from: 'home' },
    ],
  ],
  [
    'the one being made, while two are',
    'short',
    [
      { name: 'long', by: 'a', state: 'running', steps: 9 },
      { name: 'short', by: 'b', state: 'running', steps: 2 },
      { name: 'waits', by: 'c' },
    ],
  ],
])('continues %s', async (_which, expected, rows) => {
  const nameOf = await storeExports(rows);
  expect(nameOf((await nextExport(db))?.id)).toBe(expected);
});

test('makes room by dropping archives of the account with the largest, oldest first', async () => {
  const ready = { state: 'ready', bytes: 10 };
  const nameOf = await storeExports([
    { name: 'hers', by: 'alice', ...ready },
    { name: 'old', by: 'mallory', ...ready },
    { name: 'new', by: 'mallory', ...ready },
    { name: 'made', by: 'mallory', state: 'running', bytes: 5 },
  ]);
  const exports = { keepDays: 30, maxBytes: 40, stepHands: 1 };
  const context = { db, exports, now: Date.now, stopping: new AbortController().signal };
  await makeRoom(context as never, { id: userIdOf('made'), createdBy: userIdOf('mallory') }, 15);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM live_data.exports WHERE state = 'ready'");
  expect(rows.map(({ id }) => nameOf(id)).sort()).toEqual(['hers', 'new']);
});
