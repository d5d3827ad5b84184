import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { admin, sixUsers, startService } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

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
