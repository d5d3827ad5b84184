import { at, sql, texts } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { pendingStates, unfinishedStates } from '../domain/job-state.ts';
import { dayMs, type TestRunUse } from '../domain/test-run-quota.ts';
import { changeJob, lockJob } from './job-changes.ts';

/** The upload that a test run was started for by itself. */
export interface TestedUpload {
  readonly submissionId: string;
  readonly uploadedAt: Date;
}

export interface TestRunStart {
  readonly jobId: string;
  readonly userId: string;
  readonly address: string;
  readonly now: number;
  /** Its opponents. */
  readonly against: string;
  /** Absent: its user started it. */
  readonly upload?: TestedUpload;
}

/** Holds the advisory lock of a user's test runs until the transaction ends, so that concurrent requests cannot exceed a limit. */
export async function lockTestRunsOf(client: pg.ClientBase, ownerId: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, 11))`);
}

/** Reads how much of the limits on test runs a user has used, including deleted test runs. Those of uploads do not count. */
export async function testRunUse(
  client: pg.ClientBase,
  ownerId: string,
  maxTestRunsADay: number,
  now: number,
): Promise<TestRunUse> {
  const { rows } = await client.query<{ unfinished: number; blockingStart: Date | null }>(
    sql`SELECT (SELECT count(*)::int FROM jobs WHERE owner_id = ${ownerId} AND kind = 'TEST_RUN'
                  AND state = ANY (${texts(unfinishedStates)})
                  AND NOT EXISTS (SELECT FROM test_run_starts WHERE job_id = jobs.id AND submission_id IS NOT NULL)) AS unfinished,
          (SELECT started_at FROM test_run_starts WHERE user_id = ${ownerId} AND started_at > ${at(now - dayMs)}
             AND submission_id IS NULL
           ORDER BY started_at DESC OFFSET ${Math.max(0, maxTestRunsADay - 1)} LIMIT 1) AS "blockingStart"`,
  );
  return { unfinished: rows[0]?.unfinished ?? 0, blockingStart: rows[0]?.blockingStart?.getTime() };
}

export async function recordTestRun(
  client: pg.ClientBase,
  { jobId, userId, address, now, upload }: TestRunStart,
): Promise<void> {
  await client.query(
    sql`INSERT INTO test_run_starts (job_id, user_id, address, started_at, submission_id, uploaded_at)
        VALUES (${jobId}, ${userId}, ${address}, ${at(now)}, ${upload?.submissionId ?? null}, ${upload?.uploadedAt ?? null})`,
  );
}

export async function isUploadTested(client: pg.Pool | pg.ClientBase, submissionId: string): Promise<boolean> {
  const { rowCount } = await client.query(sql`SELECT FROM test_run_starts WHERE submission_id = ${submissionId}`);
  return rowCount === 1;
}

/**
 * Deletes the waiting test runs of a user's older uploads. Throws if one of a newer upload waits: events come in any order. The user's test runs
 * must be locked.
 */
export async function replaceWaiting(
  client: pg.ClientBase,
  userId: string,
  uploadedAt: Date,
  now: number,
): Promise<void> {
  const { rows } = await client.query<{ jobId: string; uploadedAt: Date }>(
    sql`SELECT s.job_id AS "jobId", s.uploaded_at AS "uploadedAt" FROM test_run_starts s JOIN jobs j ON j.id = s.job_id
        WHERE s.user_id = ${userId} AND s.submission_id IS NOT NULL AND j.state = ANY (${texts(pendingStates)})`,
  );
  if (rows.some((waiting) => waiting.uploadedAt > uploadedAt)) {
    throw new DomainError('FAILED_PRECONDITION', 'newer-upload', 'A test run of a newer upload waits.');
  }
  for (const { jobId } of rows) {
    const job = await lockJob(client, jobId);
    if (job && pendingStates.includes(job.state)) await changeJob(client, job, 'deleted', { now, cause: 'replaced' });
  }
}

/** Deletes starts that are too old to count towards a limit. */
export async function deleteOldStarts(pool: pg.Pool, now: number): Promise<void> {
  await pool.query(sql`DELETE FROM test_run_starts WHERE started_at < ${at(now - 2 * dayMs)}`);
}
