import type pg from 'pg';
import type { SeatUsage } from '../domain/loss.ts';
import { countAttempt } from '../metrics.ts';

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
  const { rows } = await client.query<{ kind: string; claimedAt: Date }>(
    `UPDATE attempts a SET outcome = $3, cause = $4, bot_suspect = $5, ended_at = $6, usage = coalesce($7, a.usage)
     FROM jobs j WHERE a.job_id = $1 AND a.attempt = $2 AND a.outcome = 'RUNNING' AND j.id = a.job_id
     RETURNING j.kind, a.claimed_at AS "claimedAt"`,
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
  for (const { kind, claimedAt } of rows) countAttempt(kind, outcome, now - claimedAt.getTime());
  await client.query("UPDATE runners SET state = 'IDLE', job_id = NULL WHERE job_id = $1", [lease.jobId]);
}
