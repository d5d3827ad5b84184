import { at, sql, texts } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { QueueClass } from '../domain/job.ts';
import { type AttemptOutcome, jobState, statesOn } from '../domain/job-state.ts';
import type { QueueState } from '../metrics.ts';

export interface ClassBacklog {
  readonly kind: QueueClass;
  readonly queuedJobs: number;
  readonly queuedHands: number;
  readonly runningJobs: number;
  /** Hands that the running matches still have to play. */
  readonly runningHands: number;
  /** Hands of recent matches, and the total time of their attempts. Their quotient is the pace of one runner. */
  readonly measuredHands: number;
  readonly measuredSeconds: number;
}

const measuredMs = 6 * 3600_000;
const maxMeasuredAttempts = 300;

/**
 * Reads by class the number and the hands of the jobs that can be claimed, and the age in seconds of the oldest job that is being prepared
 * or can be claimed.
 */
export async function readQueue(pool: pg.Pool, now: number): Promise<QueueState[]> {
  const { rows } = await pool.query<QueueState>(
    sql`SELECT c.kind, count(j.id) FILTER (WHERE j.state <> ${jobState.preparing})::int AS jobs,
          coalesce(sum(j.num_rounds) FILTER (WHERE j.state <> ${jobState.preparing}), 0)::float8 AS hands,
          coalesce(greatest(0, extract(epoch FROM ${at(now)} - min(j.created_at))), 0)::float8 AS age
        FROM queue_classes c LEFT JOIN jobs j
          ON j.kind = c.kind AND j.state = ANY (${texts([jobState.preparing, ...statesOn('claimed')])})
        WHERE c.kind <> 'ALL' GROUP BY c.kind`,
  );
  return rows;
}

/**
 * Reads the backlog and the measured pace of each class. The pace is measured by the newest finished attempts and by the
 * matches in play. A match that ended early counts all its hands, as the backlog does.
 */
export async function readBacklog(
  pool: pg.Pool,
  { now, leaseSeconds }: { now: number; leaseSeconds: number },
): Promise<Map<QueueClass, ClassBacklog>> {
  const { rows } = await pool.query<ClassBacklog>(
    sql`WITH waiting AS (
          SELECT kind, count(*) AS jobs, sum(num_rounds) AS hands FROM jobs
          WHERE state = ANY (${texts(statesOn('claimed'))}) GROUP BY kind),
        playing AS (
          SELECT j.kind, j.num_rounds - j.hands_done AS hands_left, j.hands_done,
            extract(epoch FROM j.lease_expires_at - ${leaseSeconds}::int * interval '1 second' - a.claimed_at) AS seconds
          FROM jobs j JOIN attempts a ON a.job_id = j.id AND a.attempt = j.attempt WHERE j.state = ${jobState.running}),
        ended AS (
          SELECT job_id, claimed_at, ended_at FROM attempts
          WHERE outcome = ${'FINISHED' satisfies AttemptOutcome} AND ended_at > ${at(now - measuredMs)}
          ORDER BY ended_at DESC LIMIT ${maxMeasuredAttempts}),
        measured AS (
          SELECT kind, sum(hands) AS hands, sum(seconds) AS seconds FROM (
            SELECT j.kind, j.num_rounds AS hands, extract(epoch FROM e.ended_at - e.claimed_at) AS seconds
            FROM ended e JOIN jobs j ON j.id = e.job_id
            UNION ALL SELECT kind, hands_done, seconds FROM playing WHERE hands_done > 0 AND seconds > 0) AS one
          GROUP BY kind)
        SELECT c.kind,
          coalesce(w.jobs, 0)::int AS "queuedJobs", coalesce(w.hands, 0)::float8 AS "queuedHands",
          coalesce(p.jobs, 0)::int AS "runningJobs", coalesce(p.hands, 0)::float8 AS "runningHands",
          coalesce(m.hands, 0)::float8 AS "measuredHands", coalesce(m.seconds, 0)::float8 AS "measuredSeconds"
        FROM queue_classes c
        LEFT JOIN waiting w USING (kind)
        LEFT JOIN (SELECT kind, count(*) AS jobs, sum(greatest(0, hands_left)) AS hands FROM playing GROUP BY kind) p
          USING (kind)
        LEFT JOIN measured m USING (kind)
        WHERE c.kind <> 'ALL'`,
  );
  return new Map(rows.map((row) => [row.kind, row]));
}
