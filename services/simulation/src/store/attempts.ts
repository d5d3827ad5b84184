import type pg from 'pg';
import type { SeatUsage } from '../domain/loss.ts';

export interface Lease {
  readonly jobId: string;
  readonly attempt: number;
}

export async function endAttempt(
  client: pg.ClientBase,
  lease: Lease,
  outcome: 'FINISHED' | 'HANDED_BACK' | 'LOST' | 'CANCELLED',
  why: { cause: string; suspect: boolean; usage?: readonly SeatUsage[] },
  now: number,
): Promise<void> {
  await client.query(
    `UPDATE attempts SET outcome = $3, cause = $4, bot_suspect = $5, ended_at = $6, usage = coalesce($7, usage)
     WHERE job_id = $1 AND attempt = $2 AND outcome = 'RUNNING'`,
    [
      lease.jobId,
      lease.attempt,
      outcome,
      why.cause,
      why.suspect,
      new Date(now),
      why.usage && why.usage.length > 0 ? JSON.stringify(why.usage) : null,
    ],
  );
  await client.query("UPDATE runners SET state = 'IDLE', job_id = NULL WHERE job_id = $1", [lease.jobId]);
}
