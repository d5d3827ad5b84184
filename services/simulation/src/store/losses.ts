import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { lossVerdict, type SeatUsage } from '../domain/loss.ts';
import { endAttempt, type Lease } from './attempts.ts';
import { failJob } from './endings.ts';
import { lockJob } from './locked-job.ts';
import { requeue } from './queue.ts';

export interface Loss {
  readonly cause: string;
  /** What the runner itself says; without it, bots are suspect when their seats were running. */
  readonly suspect?: boolean;
  readonly usage?: readonly SeatUsage[];
  /** Only when the lease has expired by this time (ms). */
  readonly expiredBy?: number;
}

/** Ends an attempt that was lost: the match goes back into the queue, or fails when it was lost too often. */
export function loseAttempt(pool: pg.Pool, lease: Lease, loss: Loss, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, lease.jobId);
    if (job?.state !== 'RUNNING' || job.attempt !== lease.attempt) return;
    if (loss.expiredBy !== undefined) {
      const expired = await client.query('SELECT FROM jobs WHERE id = $1 AND lease_expires_at <= $2', [
        job.id,
        new Date(loss.expiredBy),
      ]);
      if (expired.rowCount === 0) return;
    }
    const suspect = loss.suspect ?? job.seats_running;
    const counts = {
      suspectLosses: job.suspect_losses + (suspect ? 1 : 0),
      otherLosses: job.other_losses + (suspect ? 0 : 1),
    };
    await endAttempt(client, lease, 'LOST', { cause: loss.cause, suspect, usage: loss.usage ?? [] }, now);
    const seen = await client.query<{ usage: SeatUsage[] | null }>(
      'SELECT usage FROM attempts WHERE job_id = $1 AND attempt = $2',
      [job.id, lease.attempt],
    );
    const verdict = lossVerdict(counts, loss.cause, seen.rows[0]?.usage ?? []);
    await client.query('UPDATE jobs SET suspect_losses = $2, other_losses = $3 WHERE id = $1', [
      job.id,
      counts.suspectLosses,
      counts.otherLosses,
    ]);
    if (verdict === undefined) await requeue(client, job);
    else await failJob(client, job, verdict, now);
  });
}

/** Jobs whose runner has not been heard of for a lease. */
export async function expiredLeases(pool: pg.Pool, now: number): Promise<Lease[]> {
  const { rows } = await pool.query<{ id: string; attempt: number }>(
    `SELECT id, attempt FROM jobs WHERE state = 'RUNNING' AND lease_expires_at <= $1 ORDER BY lease_expires_at LIMIT 200`,
    [new Date(now)],
  );
  return rows.map((row) => ({ jobId: row.id, attempt: row.attempt }));
}
