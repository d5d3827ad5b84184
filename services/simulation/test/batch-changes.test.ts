import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readMigrations } from '@husky/runtime/database/migrations';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { afterAll, expect, test, vi } from 'vitest';
import { endJobsOf } from '../src/events/user-changed.ts';
import { sweep } from '../src/work/sweeper.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { admin, user } from './start-service.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

test('makes a failed step due again immediately, without the delay for a dead worker', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  world.service.doubles.liveDataUnavailable = true;
  await world.service.gateway.deleteBatch({ batchId: id }, asAdmin);
  await vi.waitFor(() => expect(world.service.doubles.refusedPurges).toBeGreaterThan(0), 10_000);
  world.service.doubles.liveDataUnavailable = false;
  await vi.waitFor(async () => {
    expect((await world.service.pool.query(sql`SELECT 1 FROM batches WHERE id = ${id}`)).rows).toEqual([]);
  }, 10_000);
});

test('purges the other jobs of a batch if some cannot be purged', async () => {
  const { doubles, gateway, pool } = world.service;
  const id = await world.createReady(users(8), { numRounds: 10 });
  const inBatch = sql`SELECT id FROM jobs WHERE batch_id = ${id} ORDER BY id`;
  const failing = (await pool.query<{ id: string }>(inBatch)).rows.slice(0, 2);
  for (const job of failing) doubles.unpurgeable.add(job.id);
  await gateway.deleteBatch({ batchId: id }, asAdmin);
  await vi.waitFor(async () => expect((await pool.query(inBatch)).rows).toEqual(failing), 10_000);
  doubles.unpurgeable.clear();
  await vi.waitFor(async () => {
    expect((await pool.query(sql`SELECT 1 FROM batches WHERE id = ${id}`)).rows).toEqual([]);
  }, 10_000);
});

test('starts no match of a paused batch until it is resumed; running matches continue', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  const running = await world.service.mustClaim();
  expect(await world.service.gateway.pauseBatch({ batchId: id }, asAdmin)).toMatchObject({
    paused: true,
    pending: 6,
    running: 1,
  });
  expect(await world.service.claim()).toBeNull();
  await world.service.lease.handBack({ reason: 'drain' }, { token: running.leaseToken });
  expect(await world.service.claim()).toBeNull();
  expect(await world.read(id)).toMatchObject({ pending: 7, running: 0 });
  expect(await world.service.gateway.resumeBatch({ batchId: id }, asAdmin)).toMatchObject({ paused: false });
  expect((await world.service.mustClaim()).jobId).toBe(running.jobId);
  await world.remove(id);
});

test('fails unfinished jobs of a cancelled batch and plays them after a retry', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  await world.play(2);
  const running = await world.service.mustClaim();
  expect(await world.service.gateway.cancelBatch({ batchId: id }, asAdmin)).toMatchObject({
    state: 'Cancelled',
    finished: 2,
    failed: 5,
    pending: 0,
    running: 0,
  });
  const beat = await world.service.lease.heartbeat({ state: 'ACTIVE' }, { token: running.leaseToken });
  expect(beat).toEqual({ cancel: true, reason: 'The job was ended: The batch was cancelled.' });
  expect(await world.service.claim()).toBeNull();
  const failures = (await world.service.events()).filter((event) => event.holderId === id && event.status === 'Failed');
  expect(failures).toHaveLength(5);
  expect(failures.some((event) => event.lastOfHolder)).toBe(false);
  expect(world.service.doubles.pins.has(id)).toBe(true);
  expect(await world.service.gateway.retryBatch({ batchId: id }, asAdmin)).toMatchObject({
    state: 'Ready',
    failed: 0,
    pending: 5,
  });
  expect(await world.play(10)).toBe(5);
  expect(await world.read(id)).toMatchObject({ finished: 7 });
  await world.remove(id);
});

test('a cancellation and a heartbeat of a running match do not wait for each other', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  const { jobId } = await world.service.mustClaim();
  const heartbeat = await world.service.pool.connect();
  try {
    // Locks as renewLease does: the job, then its attempt. The time limit is shorter than PostgreSQL's search for deadlocks.
    await heartbeat.query("BEGIN; SET LOCAL lock_timeout = '500ms'");
    await heartbeat.query(sql`UPDATE jobs SET hands_done = 1 WHERE id = ${jobId}`);
    const { rows } = await heartbeat.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const cancelled = world.service.gateway.cancelBatch({ batchId: id }, asAdmin);
    const waits = sql`SELECT 1 FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid))`;
    await vi.waitFor(async () => {
      expect((await world.service.pool.query(waits)).rowCount).toBe(1);
    }, 10_000);
    await heartbeat.query(sql`UPDATE attempts SET usage = '[]' WHERE job_id = ${jobId}`);
    await heartbeat.query('COMMIT');
    expect(await cancelled).toMatchObject({ state: 'Cancelled', failed: 7 });
  } finally {
    heartbeat.release(true);
  }
  await world.remove(id);
});

test('refuses a change without effect with a reason, and ends a pause on cancellation', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  const request = { batchId: id };
  const refused = (message: string) => ({ code: 'FAILED_PRECONDITION', message });
  const ended = refused('This batch has ended: every match has been played, has failed or was cancelled.');
  const { gateway } = world.service;
  await expect(gateway.resumeBatch(request, asAdmin)).rejects.toMatchObject(refused('This batch is not paused.'));
  await expect(gateway.retryBatch(request, asAdmin)).rejects.toMatchObject(
    refused('No match of this batch has failed.'),
  );
  const pauses = await Promise.allSettled([gateway.pauseBatch(request, asAdmin), gateway.pauseBatch(request, asAdmin)]);
  expect(pauses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const cancels = await Promise.allSettled([
    gateway.cancelBatch(request, asAdmin),
    gateway.cancelBatch(request, asAdmin),
  ]);
  expect(cancels.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await world.read(id)).toMatchObject({ state: 'Cancelled', paused: false, pending: 0 });
  for (const change of [gateway.pauseBatch, gateway.resumeBatch, gateway.cancelBatch]) {
    await expect(change(request, asAdmin)).rejects.toMatchObject(ended);
  }
  const retries = await Promise.allSettled([
    gateway.retryBatch(request, asAdmin),
    gateway.retryBatch(request, asAdmin),
  ]);
  expect(retries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await world.read(id)).toMatchObject({ state: 'Ready', pending: 7, failed: 0 });
  await world.remove(id);
});

test('hides a deleted batch immediately, purges its hands and releases its pins', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  await world.play(1);
  const running = await world.service.mustClaim();
  const purgedBefore = world.service.doubles.purged.length;
  const leaderboard = world.service.client('leaderboard');
  await leaderboard.holdBatch({ batchId: id });
  expect(await world.read(id)).toMatchObject({ held: true });
  await expect(world.service.gateway.deleteBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'This batch is on the leaderboard. Remove it there first.',
  });
  await leaderboard.releaseBatch({ batchId: id });
  expect(await world.service.gateway.deleteBatch({ batchId: id }, asAdmin)).toEqual({
    jobs: 7,
    finished: 1,
    cancelled: 6,
  });
  await expect(world.read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(world.service.gateway.deleteBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const beat = await world.service.lease.heartbeat({ state: 'ACTIVE' }, { token: running.leaseToken });
  expect(beat).toEqual({ cancel: true, reason: 'The job was deleted.' });
  await vi.waitFor(async () => {
    expect((await world.service.pool.query(sql`SELECT 1 FROM batches WHERE id = ${id}`)).rows).toEqual([]);
  }, 10_000);
  expect(world.service.doubles.purged.length - purgedBefore).toBeGreaterThanOrEqual(7);
  await sweep(world.service.context);
  expect(world.service.doubles.pins.has(id)).toBe(false);
});

test('accepts metadata of at most 64 KB by compare-and-set, and shows it to everybody when the batch is public', async () => {
  const id = await world.createReady(users(6), { numRounds: 10 });
  const save = (metadataJson: string, expectedMetadataId?: string) =>
    world.service.gateway.setBatchMetadata(
      { batchId: id, metadataJson, ...(expectedMetadataId === undefined ? {} : { expectedMetadataId }) },
      asAdmin,
    );
  for (const [text, message] of [
    ['{', 'Invalid JSON format'],
    ['[]', 'The metadata must be a JSON object.'],
    ['null', 'The metadata must be a JSON object.'],
    [JSON.stringify({ text: 'x'.repeat(65_536) }), 'The metadata is larger than 64 KB.'],
  ] as const) {
    await expect(save(text)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
  }
  const first = await save('{"batch_number": 7}');
  expect(first).toMatchObject({ action: 'created', metadataJson: '{"batch_number":7}', batchEntries: 1 });
  const second = await save('{"batch_number": 8}', first.metadataId);
  expect(second.action).toBe('updated');
  await expect(save('{}', first.metadataId)).rejects.toMatchObject({ code: 'ABORTED', reason: 'metadata-changed' });
  const anonymous = { caller: { kind: 'anonymous' } } as const;
  const metadata = () => world.service.gateway.getBatchMetadata({ batchId: id }, anonymous);
  await expect(metadata()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  world.service.doubles.publicBatches.add(id);
  expect(await metadata()).toMatchObject({ metadataJson: '{"batch_number":8}', metadataId: second.metadataId });
  await world.remove(id);
});

test('shows a batch everywhere with batch_number of its metadata, otherwise with its own number', async () => {
  const batchId = await world.createReady(users(6), { numRounds: 10 });
  const { gateway, claim } = world.service;
  const { batchNumber: own } = await world.read(batchId);
  const save = (metadataJson: string) => gateway.setBatchMetadata({ batchId, metadataJson }, asAdmin);
  const shown = async () => {
    const [batch] = (await gateway.listBatches({}, asAdmin)).batches.filter(({ id }) => id === batchId);
    const { jobs } = await gateway.listBatchJobs({ batchId, page: 1, pageSize: 10, status: '' }, asAdmin);
    const request = { batchIds: [batchId, randomUUID(), 'no id'] };
    const { batches } = await gateway.listBatchNumbers(request, { caller: { kind: 'anonymous' } });
    return new Set([batch, ...jobs, ...batches, await world.read(batchId)].map((one) => one?.batchNumber));
  };
  for (const [metadata, number] of [
    ['{"batch_number": 4711}', 4711],
    ['{"batch_number": "12"}', 12],
    ['{"batch_number": null}', own],
    ['{"note": "none"}', own],
    ['{"batch_number": 42}', 42],
  ] as const) {
    await save(metadata);
    expect(await shown(), metadata).toEqual(new Set([number]));
  }
  for (const wrong of ['"seven"', '7.5', '0', '-1', '1000000000', '[7]', 'true', '{}']) {
    await expect(save(`{"batch_number": ${wrong}}`), wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
  expect(await shown()).toEqual(new Set([42]));
  const assignment = await claim('player');
  expect(assignment).not.toBeNull();
  if (assignment) await world.service.accept(assignment);
  expect((await world.service.events()).at(-1)).toMatchObject({ batchId, batchNumber: 42, gameNumber: 1 });
  await world.remove(batchId);
});

test('gives one number to one batch, and finds private batches for admins only', async () => {
  const { gateway, doubles } = world.service;
  const [older, newer] = [await world.createReady(users(6)), await world.createReady(users(6))];
  const number = (batchId: string, metadataJson: string) =>
    gateway.setBatchMetadata({ batchId, metadataJson }, asAdmin);
  const { batchNumber: own } = await world.read(older);
  await number(older, '{"batch_number": 815}');
  const taken = (of: number) => ({
    code: 'ALREADY_EXISTS',
    message: `Number ${of} belongs to batch ${older}. Give this batch another batch_number.`,
  });
  for (const same of ['815', '"815"', '815.0', '8.15e2']) {
    await expect(number(newer, `{"batch_number": ${same}}`), same).rejects.toMatchObject(taken(815));
  }
  await number(older, '{}');
  await expect(number(newer, `{"batch_number": ${own}}`)).rejects.toMatchObject(taken(own));
  const both = [older, newer].map((id) => number(id, '{"batch_number": 816}'));
  const outcomes = (await Promise.allSettled(both)).map(({ status }) => status);
  expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);

  const find = async (caller: Caller, batchNumber: number) => (await gateway.findBatch({ batchNumber }, { caller })).id;
  const refused = { code: 'NOT_FOUND', message: 'Batch not found' };
  const holder = await find(asAdmin.caller, 816);
  await expect(find(user(), 816)).rejects.toMatchObject(refused);
  doubles.publicBatches.add(holder);
  expect(await find({ kind: 'anonymous' }, 816)).toBe(holder);
  await expect(find(asAdmin.caller, 817)).rejects.toMatchObject(refused);
  for (const id of [older, newer]) await world.remove(id);
});

test('finds a batch by each number that it had, until another batch has the number', async () => {
  const { gateway } = world.service;
  const [first, second] = [await world.createReady(users(6)), await world.createReady(users(6))];
  const number = (batchId: string, value: number | null) =>
    gateway.setBatchMetadata({ batchId, metadataJson: JSON.stringify({ batch_number: value }) }, asAdmin);
  const found = async (batchNumber: number) => {
    const { id, batchNumber: shown } = await gateway.findBatch({ batchNumber }, asAdmin);
    return [id, shown];
  };
  const { batchNumber: own } = await world.read(first);
  for (const value of [901, 902]) await number(first, value);
  for (const old of [own, 901, 902]) expect(await found(old), String(old)).toEqual([first, 902]);
  await number(second, 901);
  expect(await found(901)).toEqual([second, 901]);
  expect(await found(own)).toEqual([first, 902]);
  await number(second, own);
  expect([await found(own), await found(901)]).toEqual([
    [second, own],
    [second, own],
  ]);
  await expect(number(first, null)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await world.remove(second);
  expect([await found(own), await found(901)]).toEqual([
    [first, 902],
    [first, 902],
  ]);
  await number(first, own);
  expect([await found(902), await found(own)]).toEqual([
    [first, own],
    [first, own],
  ]);
  await world.remove(first);
});

test('skips a number that another batch has when a batch is created', async () => {
  const { gateway } = world.service;
  const numbered = await world.createReady(users(6));
  const { batchNumber: own } = await world.read(numbered);
  await gateway.setBatchMetadata({ batchId: numbered, metadataJson: `{"batch_number": ${own + 1}}` }, asAdmin);
  const created = await world.createReady(users(6));
  expect((await world.read(created)).batchNumber).toBe(own + 2);
  for (const id of [numbered, created]) await world.remove(id);
});

test('upgrade: of batches with one number the newest keeps it, the others get their own number or a free one', async () => {
  const client = await world.service.database.admin.connect();
  try {
    await client.query('BEGIN; CREATE SCHEMA earlier; SET LOCAL search_path TO earlier');
    for (const { name, sql: migration } of readMigrations(join(import.meta.dirname, '../prisma/migrations'))) {
      if (name.endsWith('_unique_batch_numbers')) {
        const metadata = [
          { batch_number: 3, note: 'x' },
          {},
          { batch_number: '3' },
          { batch_number: 2 },
          { batch_number: 3 },
        ];
        for (const value of [...metadata, null]) {
          await client.query(
            sql`INSERT INTO batches (id, owner_id, user_ids, roster, state, total_jobs, num_rounds, big_blind, blind_multiplier,
                  blind_interval, metadata)
                VALUES (${randomUUID()}, ${randomUUID()}, '{}', '[]', ${value === null ? 'DELETING' : 'READY'}, 1, 1, 10, '1', 1,
                  ${value === null ? '{"batch_number": 3}' : JSON.stringify(value)})`,
          );
        }
      }
      await client.query(migration);
    }
    const { rows } = await client.query(
      `SELECT batch_number, shown_number, metadata ->> 'note' AS note FROM batches WHERE state = 'READY' ORDER BY batch_number`,
    );
    expect(rows.map(({ batch_number: serial, shown_number: shown, note }) => [serial, shown, note])).toEqual([
      [1, 1, 'x'],
      [2, 7, null],
      [3, 8, null],
      [4, 2, null],
      [5, 3, null],
    ]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('lets only admins read and change batches', async () => {
  const id = await world.createReady(users(6), { numRounds: 10 });
  const caller = { caller: user() };
  const refused = { code: 'PERMISSION_DENIED' };
  const { gateway } = world.service;
  await expect(gateway.createBatch({ userIds: users(6) }, caller)).rejects.toMatchObject(refused);
  await expect(gateway.listBatches({}, caller)).rejects.toMatchObject(refused);
  const request = { batchId: id };
  for (const call of [
    gateway.getBatch,
    gateway.listBatchJobs,
    gateway.pauseBatch,
    gateway.resumeBatch,
    gateway.cancelBatch,
    gateway.retryBatch,
    gateway.deleteBatch,
    gateway.setBatchMetadata,
  ] as ((request: { batchId: string }, options: typeof caller) => Promise<unknown>)[]) {
    await expect(call(request, caller)).rejects.toMatchObject(refused);
  }
  const { batches, total } = await gateway.listBatches({}, asAdmin);
  expect(total).toBe(1);
  expect(batches).toMatchObject([{ id, totalJobs: 1, pending: 1 }]);
  await endJobsOf(world.service.context, admin.id);
  expect(await world.read(id)).toMatchObject({ state: 'Cancelled', failed: 1 });
  await world.remove(id);
});
