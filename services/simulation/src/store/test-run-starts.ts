import { at, sql, texts } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { unfinishedStates } from '../domain/job-state.ts';
import { dayMs, type TestRunUse } from '../domain/test-run-quota.ts';

/** Holds the advisory lock of a user's test runs until the transaction ends, so that concurrent requests cannot exceed a limit. */
export async function lockTestRunsOf(client: pg.ClientBase, ownerId: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, 11))`);
}

/** Reads how much of the limits on test runs a user has used, including deleted test runs. */
export async function testRunUse(
  client: pg.ClientBase,
  ownerId: string,
  maxTestRunsADay: number,
  now: number,
): Promise<TestRunUse> {
  const { rows } = await client.query<{ unfinished: number; blockingStart: Date | null }>(
    sql`SELECT (SELECT count(*)::int FROM jobs WHERE owner_id = ${ownerId} AND kind = 'TEST_RUN'
                  AND state = ANY (${texts(unfinishedStates)})) AS unfinished,
          (SELECT started_at FROM test_run_starts WHERE user_id = ${ownerId} AND started_at > ${at(now - dayMs)}
           ORDER BY started_at DESC OFFSET ${Math.max(0, maxTestRunsADay - 1)} LIMIT 1) AS "blockingStart"`,
  );
  return { unfinished: rows[0]?.unfinished ?? 0, blockingStart: rows[0]?.blockingStart?.getTime() };
}

export async function recordTestRun(
  client: pg.ClientBase,
  jobId: string,
  userId: string,
  address: string,
  now: number,
): Promise<void> {
  await client.query(
    sql`INSERT INTO test_run_starts (job_id, user_id, address, started_at) VALUES (${jobId}, ${userId}, ${address}, ${at(now)})`,
  );
}

/** Deletes starts that are too old to count towards a limit. */
export async function deleteOldStarts(pool: pg.Pool, now: number): Promise<void> {
  await pool.query(sql`DELETE FROM test_run_starts WHERE started_at < ${at(now - 2 * dayMs)}`);
}
