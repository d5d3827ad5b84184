import type pg from 'pg';
import type { JobKind } from '../domain/job.ts';
import { chooseClass } from '../domain/queue-choice.ts';
import type { LockedJob } from './locked-job.ts';

export const queueChannel = 'husky_simulation_queue';

/** Tells waiting runners, of every replica, once the transaction is committed. */
export async function notifyQueue(client: pg.ClientBase | pg.Pool): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [queueChannel, '']);
}

/** Puts a running job, locked by the caller, back to its place; the attempt is over for it. */
export async function requeue(client: pg.ClientBase, job: LockedJob): Promise<void> {
  await client.query(
    `UPDATE jobs SET state = $2, runner = NULL, lease_expires_at = NULL, seats_running = false, hands_done = 0 WHERE id = $1`,
    [job.id, job.batch_paused ? 'PAUSED' : 'QUEUED'],
  );
  await notifyQueue(client);
}

/**
 * Places of `count` jobs in their class, the first one's tag: start-time fair queueing by owner (Goyal, Vin and Cheng, 1996).
 * An owner's jobs follow one another; a new owner's begin where the class is served now, before a heavy owner's rest.
 */
export async function reserveTags(
  client: pg.ClientBase,
  kind: JobKind,
  ownerId: string,
  cost: number,
  count: number,
): Promise<number> {
  const total = cost * count;
  const { rows } = await client.query<{ start: number }>(
    `INSERT INTO queue_owners (kind, owner_id, tag)
     SELECT kind, $2, served_tag + $3 FROM queue_classes WHERE kind = $1
     ON CONFLICT (kind, owner_id) DO UPDATE
       SET tag = greatest(queue_owners.tag, excluded.tag - $3) + $3
     RETURNING tag - $3 AS start`,
    [kind, ownerId, total],
  );
  return rows[0]?.start ?? 0;
}

export async function hasWaiting(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: boolean }>(
    "SELECT EXISTS (SELECT FROM jobs WHERE state = 'QUEUED') AS waiting",
  );
  return rows[0]?.waiting ?? false;
}

export interface NextJob {
  readonly id: string;
  readonly kind: JobKind;
}

/**
 * Picks and locks the job to be played next, and charges its class. Claimers follow one another here for the moment that
 * the choice takes; a job that somebody else has locked is passed over, and so is one whose commitment is not in the chain.
 */
export async function takeNext(
  client: pg.ClientBase,
  weights: Readonly<Record<JobKind, number>>,
  costOf: (numRounds: number) => number,
): Promise<NextJob | undefined> {
  const classes = await client.query<{ kind: JobKind | 'ALL'; pass: number }>(
    'SELECT kind, pass FROM queue_classes ORDER BY kind FOR UPDATE',
  );
  const clock = classes.rows.find((row) => row.kind === 'ALL')?.pass ?? 0;
  let waiting = classes.rows.flatMap(({ kind, pass }) => (kind === 'ALL' ? [] : [{ kind, pass }]));
  for (;;) {
    const choice = chooseClass(waiting, clock, weights);
    if (!choice) return undefined;
    const { rows } = await client.query<{ id: string; queue_tag: number; num_rounds: number }>(
      `SELECT id, queue_tag, num_rounds FROM jobs WHERE state = 'QUEUED' AND kind = $1 AND commitment_number IS NOT NULL
       ORDER BY queue_tag, job_number LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [choice.kind],
    );
    const [job] = rows;
    if (job) {
      await client.query('UPDATE queue_classes SET pass = $2, served_tag = greatest(served_tag, $3) WHERE kind = $1', [
        choice.kind,
        choice.passAfter(costOf(job.num_rounds)),
        job.queue_tag,
      ]);
      await client.query("UPDATE queue_classes SET pass = $1 WHERE kind = 'ALL'", [choice.clock]);
      return { id: job.id, kind: choice.kind };
    }
    waiting = waiting.filter(({ kind }) => kind !== choice.kind);
  }
}

/** Places in the queue, from 1: how many of its class are to be given out before each of these jobs, and itself. */
export async function queuePositions(pool: pg.Pool, jobIds: readonly string[]): Promise<Map<string, number>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; position: number }>(
    `WITH asked AS (SELECT id, kind, queue_tag, job_number FROM jobs
                    WHERE id = ANY($1::uuid[]) AND state IN ('PREPARING', 'QUEUED', 'PAUSED')),
          line AS (SELECT id, kind, queue_tag, job_number, 0 AS waits FROM asked
                   UNION ALL
                   SELECT NULL, kind, queue_tag, job_number, 1 FROM jobs
                   WHERE state = 'QUEUED' AND kind IN (SELECT kind FROM asked)
                     AND queue_tag <= (SELECT max(queue_tag) FROM asked)),
          placed AS (SELECT id, sum(waits) OVER (PARTITION BY kind ORDER BY queue_tag, job_number, waits
                                                 ROWS UNBOUNDED PRECEDING) AS ahead FROM line)
     SELECT id, (ahead + 1)::int AS position FROM placed WHERE id IS NOT NULL`,
    [jobIds],
  );
  return new Map(rows.map((row) => [row.id, row.position]));
}
