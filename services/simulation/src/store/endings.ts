import { DomainError } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { unfinishedStates } from '../domain/job.ts';
import { endAttempt } from './attempts.ts';
import { type LockedJob, lockJob } from './locked-job.ts';
import { type MatchRemarks, writeJobEnded } from './outbox.ts';

export interface Result extends MatchRemarks {
  readonly noContest: boolean;
  readonly jobId: string;
  readonly attempt: number;
  readonly handsPlayed: number;
  readonly endedEarly: string;
  readonly digest: string;
  readonly results: readonly { readonly userId: string; readonly delta: number }[];
}

/**
 * Running -> Finished for the current attempt, once. A repetition by the accepted attempt is accepted again without effect.
 */
export function acceptResult(
  pool: pg.Pool,
  result: Result,
  now: number,
): Promise<{ accepted: boolean; acceptedAttempt: number }> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, result.jobId);
    const acceptedAttempt = job?.accepted_attempt ?? 0;
    if (job?.state === 'FINISHED') return { accepted: acceptedAttempt === result.attempt, acceptedAttempt };
    if (job?.state !== 'RUNNING' || job.attempt !== result.attempt) return { accepted: false, acceptedAttempt };
    await storeDeltas(client, result);
    await storeFaults(client, result);
    await client.query(
      `UPDATE jobs SET state = 'FINISHED', accepted_attempt = $2, hands_played = $3, hands_done = $3, ended_early = $4,
         digest = $5, ended_at = $6, no_contest = $7, runner = NULL, lease_expires_at = NULL, seats_running = false
       WHERE id = $1`,
      [job.id, result.attempt, result.handsPlayed, result.endedEarly, result.digest, new Date(now), result.noContest],
    );
    await endAttempt(client, result, 'FINISHED', { cause: '', suspect: false }, now);
    await writeJobEnded(client, { ...identity(job), status: 'Finished', reason: result.endedEarly }, now, result);
    return { accepted: true, acceptedAttempt: result.attempt };
  });
}

async function storeDeltas(client: pg.ClientBase, result: Result): Promise<void> {
  const { rows } = await client.query<{ user_id: string }>('SELECT user_id FROM job_seats WHERE job_id = $1', [
    result.jobId,
  ]);
  const expected = rows.map((row) => row.user_id).sort();
  const given = result.results.map((one) => one.userId).sort();
  const sum = result.results.reduce((total, one) => total + one.delta, 0);
  if (JSON.stringify(expected) !== JSON.stringify(given) || sum !== 0) {
    throw new DomainError(
      'INVALID_ARGUMENT',
      'result-invalid',
      'The results are not those of the players or do not sum to zero',
    );
  }
  await client.query(
    `UPDATE job_seats s SET delta = r.delta FROM unnest($2::uuid[], $3::bigint[]) AS r(user_id, delta)
     WHERE s.job_id = $1 AND s.user_id = r.user_id`,
    [result.jobId, result.results.map((one) => one.userId), result.results.map((one) => one.delta)],
  );
}

async function storeFaults(client: pg.ClientBase, { jobId, seatFaults }: Result): Promise<void> {
  await client.query(
    `UPDATE job_seats s SET faults = f.faults FROM unnest($2::uuid[], $3::jsonb[]) AS f(user_id, faults)
     WHERE s.job_id = $1 AND s.user_id = f.user_id`,
    [jobId, seatFaults.map((one) => one.userId), seatFaults.map((one) => JSON.stringify(one))],
  );
}

/** Ends an unfinished job that the caller has locked. */
export async function failJob(client: pg.ClientBase, job: LockedJob, message: string, now: number): Promise<void> {
  await client.query(
    `UPDATE jobs SET state = 'FAILED', error_message = $2, ended_at = $3, runner = NULL, lease_expires_at = NULL,
       seats_running = false, prepare_after = NULL WHERE id = $1`,
    [job.id, message, new Date(now)],
  );
  await endAttempt(
    client,
    { jobId: job.id, attempt: job.attempt },
    'CANCELLED',
    { cause: message, suspect: false },
    now,
  );
  await writeJobEnded(client, { ...identity(job), status: 'Failed', reason: message }, now);
}

/** Fails a job unless it has ended already; its runner learns of it by the next heartbeat. */
export function failUnfinished(pool: pg.Pool, jobId: string, message: string, now: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job || !unfinishedStates.includes(job.state)) return false;
    await failJob(client, job, message, now);
    return true;
  });
}

export async function unfinishedJobsOf(pool: pg.Pool, ownerId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM jobs WHERE owner_id = $1 AND state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING')",
    [ownerId],
  );
  return rows.map((row) => row.id);
}

export function identity(job: LockedJob) {
  return { id: job.id, ownerId: job.owner_id, holderId: job.holder_id, batchId: job.batch_id };
}
