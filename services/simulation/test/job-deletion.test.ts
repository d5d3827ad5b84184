import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { endJobsOf } from '../src/events/user-changed.ts';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

test('cancels the runner, purges the hands and removes the job when a running job is deleted', async () => {
  const caller = user();
  const { id } = await service.gateway.createTestRun(bot, { caller });
  const assignment = await service.mustClaim();
  await expect(service.gateway.deleteJob({ jobId: id }, { caller: user() })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(await service.gateway.deleteJob({ jobId: id }, { caller })).toEqual({ cancelled: true });
  const beat = await service.lease.heartbeat({ state: 'ACTIVE' }, { token: assignment.leaseToken });
  expect(beat).toEqual({ cancel: true, reason: 'The job was deleted.' });
  expect(await service.accept(assignment)).toEqual({ accepted: false, acceptedAttempt: 0 });
  expect(service.doubles.purged).toContain(id);
  await expect(service.gateway.getJob({ jobId: id }, { caller })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(service.liveData.getMatch({ jobId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(service.gateway.deleteJob({ jobId: id }, { caller })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await service.events()).at(-1)).toMatchObject({ jobId: id, status: 'Deleted', lastOfHolder: true });
  const { rows } = await service.pool.query(sql`SELECT 1 FROM job_seats WHERE job_id = ${id}`);
  expect(rows).toEqual([]);
});

test('completes a deletion that failed in live-data by the sweeper', async () => {
  const caller = user();
  const { id } = await service.gateway.createTestRun(bot, { caller });
  service.doubles.liveDataUnavailable = true;
  expect(await service.gateway.deleteJob({ jobId: id }, { caller })).toEqual({ cancelled: true });
  await expect(service.gateway.getJob({ jobId: id }, { caller })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await service.claim()).toBeNull();
  service.doubles.liveDataUnavailable = false;
  await sweep(service.context);
  expect((await service.pool.query(sql`SELECT 1 FROM jobs WHERE id = ${id}`)).rows).toEqual([]);
});

test('purges other jobs if some cannot be purged, and logs a failure once', async () => {
  const { doubles, gateway, context } = service;
  const warn = vi.spyOn(context.log, 'warn');
  const owners = Array.from({ length: 9 }, () => user());
  const ids: string[] = [];
  for (const caller of owners) ids.push((await gateway.createTestRun(bot, { caller })).id ?? '');
  ids.sort();
  const failing = ids.slice(0, 7);
  for (const id of failing) doubles.unpurgeable.add(id);
  await service.pool.query(sql`UPDATE jobs SET state = 'DELETING' WHERE id = ANY (${ids}::uuid[])`);
  const left = async () =>
    (await service.pool.query<{ id: string }>(sql`SELECT id FROM jobs WHERE state = 'DELETING' ORDER BY id`)).rows;
  for (let n = 0; n < 4; n++) await sweep(context);
  expect((await left()).map(({ id }) => id)).toEqual(failing);
  expect(warn.mock.calls.filter(([, message]) => message?.startsWith('purge failed'))).toHaveLength(failing.length);
  doubles.unpurgeable.clear();
  await sweep(context);
  expect(await left()).toEqual([]);
  warn.mockRestore();
});

test('purges few jobs in a step while live-data is unavailable, and blames none', async () => {
  const { doubles, gateway, context, pool } = service;
  const warn = vi.spyOn(context.log, 'warn');
  const owners = Array.from({ length: 30 }, () => user());
  const ids = await Promise.all(owners.map(async (caller) => (await gateway.createTestRun(bot, { caller })).id));
  doubles.liveDataUnavailable = true;
  const before = doubles.refusedPurges;
  await pool.query(sql`UPDATE jobs SET state = 'DELETING' WHERE id = ANY (${ids}::uuid[])`);
  const failures = await sweep(context);
  // The service's own sweeper may have run too.
  expect(doubles.refusedPurges - before).toBeLessThanOrEqual(20);
  expect(context.purgeFailures.jobIds).toEqual([]);
  expect(warn.mock.calls.filter(([, message]) => message?.startsWith('purge failed'))).toEqual([]);
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringMatching(/^deletions: /) })]);
  doubles.liveDataUnavailable = false;
  await sweep(context);
  expect((await pool.query(sql`SELECT FROM jobs WHERE id = ANY (${ids}::uuid[])`)).rowCount).toBe(0);
  warn.mockRestore();
});

test('refuses the deletion of a held job, and holds only finished ones', async () => {
  const leaderboard = service.client('leaderboard');
  const { id } = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, { caller: admin });
  await expect(leaderboard.holdJob({ jobId: id })).rejects.toMatchObject({ reason: 'job-not-finished' });
  await service.accept(await service.mustClaim());
  expect(await leaderboard.holdJob({ jobId: id })).toMatchObject({ id, held: true, status: 'FINISHED' });
  await expect(service.gateway.deleteJob({ jobId: id }, { caller: admin })).rejects.toMatchObject({
    code: 'ABORTED',
    reason: 'job-held',
    message: 'This job is on a leaderboard. Remove it there first.',
  });
  await expect(service.gateway.holdJob({ jobId: id }, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(await leaderboard.releaseJob({ jobId: id })).toMatchObject({ held: false });
  expect(await service.gateway.deleteJob({ jobId: id }, { caller: admin })).toEqual({ cancelled: false });
  await expect(leaderboard.holdJob({ jobId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test("fails a deleted user's unfinished jobs with a reason and keeps finished ones", async () => {
  const caller = user();
  const finished = await service.gateway.createTestRun(bot, { caller });
  await service.accept(await service.mustClaim());
  const running = await service.gateway.createTestRun(bot, { caller });
  const { leaseToken } = await service.mustClaim();
  const waiting = await service.gateway.createTestRun(bot, { caller });
  await endJobsOf(service.context, caller.id);
  await endJobsOf(service.context, caller.id);
  const status = async (jobId: string) => service.gateway.getJob({ jobId }, { caller: admin });
  const errorMessage = 'The user who started this job has been deleted.';
  expect(await status(finished.id)).toMatchObject({ status: 'FINISHED' });
  expect(await status(running.id)).toMatchObject({ status: 'FAILED', errorMessage });
  expect(await status(waiting.id)).toMatchObject({ status: 'FAILED', errorMessage });
  expect(await service.lease.heartbeat({ state: 'ACTIVE' }, { token: leaseToken })).toMatchObject({ cancel: true });
  expect(await service.claim()).toBeNull();
});

test('releases pins whose job was never inserted', async () => {
  const holderId = randomUUID();
  service.doubles.pins.set(holderId, new Set(['bot']));
  await service.pool.query(
    sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${holderId}, ${new Date(service.clock.now() - 6 * 60_000)})`,
  );
  await sweep(service.context);
  expect(service.doubles.pins.has(holderId)).toBe(false);
  expect((await service.pool.query('SELECT * FROM pin_intents')).rows).toEqual([]);
});

/** Inserts a batch of jobs in these states directly into the tables. */
async function batchOf(states: readonly string[]) {
  const batchId = randomUUID();
  const { pool } = service;
  await pool.query(
    sql`INSERT INTO batches (id, owner_id, user_ids, roster, state, total_jobs, num_rounds, big_blind, blind_multiplier, blind_interval)
     VALUES (${batchId}, ${admin.id}, '{}', '[]', 'READY', ${states.length}, 6, 10, '1', 1)`,
  );
  const jobs: string[] = [];
  for (const [index, state] of states.entries()) {
    const job = await service.gateway.createMatch(
      { userIds: sixUsers(), numRounds: 6, blinds: null },
      { caller: admin },
    );
    await pool.query(
      sql`UPDATE jobs SET batch_id = ${batchId}, game_number = ${index + 1}, state = ${state},
            accepted_attempt = CASE WHEN ${state} = 'FINISHED' THEN 1 END
          WHERE id = ${job.id}`,
    );
    await pool.query(sql`UPDATE job_seats SET delta = CASE seat WHEN 0 THEN 50 ELSE -10 END WHERE job_id = ${job.id}`);
    jobs.push(job.id);
  }
  return { batchId, jobs };
}

test('refuses the deletion of jobs of a held batch until it is released', async () => {
  const { batchId, jobs } = await batchOf(['FINISHED', 'FAILED']);
  const leaderboard = service.client('leaderboard');
  const hold = { batchId, held: true, totalJobs: 2, finishedJobs: 1, traceparent: '' };
  expect(await leaderboard.holdBatch({ batchId })).toEqual(hold);
  expect(await leaderboard.holdBatch({ batchId })).toEqual(hold);
  for (const jobId of jobs) {
    const deletion = service.gateway.deleteJob({ jobId }, { caller: admin });
    await expect(deletion).rejects.toMatchObject({ code: 'ABORTED', reason: 'batch-held' });
  }
  expect((await leaderboard.releaseBatch({ batchId })).held).toBe(false);
  await service.gateway.deleteJob({ jobId: jobs[1] }, { caller: admin });
});

test('a hold waits for a deletion of its batch that has found no held job', async () => {
  const { batchId, jobs } = await batchOf(['FINISHED']);
  const [jobId = ''] = jobs;
  const deletion = await service.pool.connect();
  try {
    // As beginBatchDeletion does: locks the batch, counts its held jobs, then hides them.
    await deletion.query('BEGIN');
    await deletion.query(sql`SELECT FROM batches WHERE id = ${batchId} FOR UPDATE`);
    const held = await deletion.query(sql`SELECT FROM jobs WHERE batch_id = ${batchId} AND held`);
    expect(held.rowCount).toBe(0);
    const { rows } = await deletion.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const hold = service.client('leaderboard').holdJob({ jobId });
    const refusal = hold.then(
      () => undefined,
      (error: unknown) => error,
    );
    const waits = sql`SELECT 1 FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid))`;
    await vi.waitFor(async () => expect((await service.pool.query(waits)).rowCount).toBe(1), 10_000);
    await deletion.query(sql`UPDATE batches SET state = 'DELETING' WHERE id = ${batchId}`);
    await deletion.query(sql`UPDATE jobs SET state = 'DELETING' WHERE batch_id = ${batchId}`);
    await deletion.query('COMMIT');
    expect(await refusal).toMatchObject({ code: 'NOT_FOUND' });
  } finally {
    deletion.release(true);
  }
  expect((await service.pool.query(sql`SELECT FROM jobs WHERE batch_id = ${batchId} AND held`)).rowCount).toBe(0);
});

test("returns pages of a batch's finished games with their results only to leaderboard", async () => {
  const { batchId, jobs } = await batchOf(['FINISHED', 'FAILED', 'FINISHED', 'FINISHED']);
  const leaderboard = service.client('leaderboard');
  const first = await leaderboard.listBatchResults({ batchId, afterGame: 0, limit: 2 });
  expect(first).toMatchObject({ totalJobs: 4, finishedJobs: 3 });
  expect(first.games.map((game) => [game.jobId, game.gameNumber])).toEqual([
    [jobs[0], 1],
    [jobs[2], 3],
  ]);
  expect(first.games[0]?.results.map((result) => result.delta)).toEqual([50, -10, -10, -10, -10, -10]);
  const rest = await leaderboard.listBatchResults({ batchId, afterGame: 3, limit: 2 });
  expect(rest.games.map((game) => game.gameNumber)).toEqual([4]);
  expect((await leaderboard.listBatchResults({ batchId })).games).toEqual([]);
  await expect(leaderboard.listBatchResults({ batchId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(service.gateway.listBatchResults({ batchId }, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
});
