import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { type JobKind, queueCost } from '../domain/job.ts';
import type { SeatUsage, Unfetched } from '../domain/loss.ts';
import { endAttempt, type Lease } from './attempts.ts';
import { lockJob } from './locked-job.ts';
import { hasWaiting, requeue, takeNext } from './queue.ts';
import type { Claimant } from './runners.ts';

/** Gives the next job of the queue to a runner as a new attempt; undefined when there is none or the runner is cordoned. */
export async function claimNext(
  pool: pg.Pool,
  claimant: Claimant,
  options: { now: number; leaseSeconds: number; weights: Readonly<Record<JobKind, number>> },
): Promise<Lease | undefined> {
  if (!(await hasWaiting(pool))) return undefined;
  return inTransaction(pool, async (client) => {
    const runner = await client.query<{ cordoned: boolean }>(
      'SELECT cordoned FROM runners WHERE name = $1 FOR UPDATE',
      [claimant.runner],
    );
    if (runner.rows[0]?.cordoned) return undefined;
    const next = await takeNext(client, options.weights, queueCost);
    if (!next) return undefined;
    const now = new Date(options.now);
    const expires = new Date(options.now + options.leaseSeconds * 1000);
    const { rows } = await client.query<{ attempt: number }>(
      `UPDATE jobs SET state = 'RUNNING', attempt = attempt + 1, runner = $2, lease_expires_at = $3, seats_running = false,
         hands_done = 0, started_at = coalesce(started_at, $4)
       WHERE id = $1 RETURNING attempt`,
      [next.id, claimant.runner, expires, now],
    );
    const attempt = rows[0]?.attempt ?? 0;
    await client.query(
      'INSERT INTO attempts (job_id, attempt, runner, version, claimed_at) VALUES ($1, $2, $3, $4, $5)',
      [next.id, attempt, claimant.runner, claimant.version, now],
    );
    await client.query("UPDATE runners SET state = 'ACQUIRED', job_id = $2, last_seen = $3 WHERE name = $1", [
      claimant.runner,
      next.id,
      now,
    ]);
    return { jobId: next.id, attempt };
  });
}

export interface Beat {
  readonly state: 'IDLE' | 'ACQUIRED' | 'ACTIVE';
  readonly handsDone: number;
  readonly handsPerSecond: number;
  readonly usage: readonly SeatUsage[];
  readonly totals?: object | null;
}

/** Renews a current lease; undefined when it is not current any more. */
export async function beat(
  pool: pg.Pool,
  lease: Lease,
  runner: string,
  news: Beat,
  options: { now: number; leaseSeconds: number },
): Promise<boolean> {
  const now = new Date(options.now);
  const renewed = await pool.query(
    `WITH job AS (
       UPDATE jobs SET lease_expires_at = $3, hands_done = greatest(hands_done, $4), seats_running = $5
       WHERE id = $1 AND attempt = $2 AND state = 'RUNNING' RETURNING id),
     seen AS (
       UPDATE attempts SET usage = $6 FROM job WHERE job_id = job.id AND attempt = $2 AND $6::jsonb IS NOT NULL)
     UPDATE runners SET state = $8, job_id = job.id, hands_per_second = $9, last_seen = $10, totals = coalesce($11, totals) FROM job WHERE name = $7
     RETURNING name`,
    [
      lease.jobId,
      lease.attempt,
      new Date(options.now + options.leaseSeconds * 1000),
      news.handsDone,
      news.state === 'ACTIVE',
      news.usage.length > 0 ? JSON.stringify(news.usage) : null,
      runner,
      news.state,
      news.handsPerSecond,
      now,
      news.totals ? JSON.stringify(news.totals) : null,
    ],
  );
  return renewed.rowCount === 1;
}

/**
 * Puts a match back where it was in the queue, for free; tries to bring a seat's packages count for that seat. False when
 * the lease is not current any more.
 */
export function handBack(
  pool: pg.Pool,
  lease: Lease,
  why: { readonly reason: string; readonly unfetched: readonly Unfetched[] },
  now: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, lease.jobId);
    if (job?.state !== 'RUNNING' || job.attempt !== lease.attempt) return false;
    for (const { seat, cause } of why.unfetched) {
      await client.query(
        `UPDATE job_seats SET unfetched_tries = unfetched_tries + 1, unfetched_cause = $3
         WHERE job_id = $1 AND seat = $2 AND packages_hash <> ''`,
        [job.id, seat, cause],
      );
    }
    await requeue(client, job);
    await endAttempt(client, lease, 'HANDED_BACK', { cause: why.reason, suspect: false }, now);
    return true;
  });
}
