import type pg from 'pg';
import type { JobKind } from '../domain/job.ts';

export interface ClassBacklog {
  readonly kind: JobKind;
  readonly queuedJobs: number;
  readonly queuedHands: number;
  readonly runningJobs: number;
  /** Still to play. */
  readonly runningHands: number;
  /** Worked off lately, and how long runners held these matches. */
  readonly measuredHands: number;
  readonly measuredSeconds: number;
}

const measuredMs = 6 * 3600_000;
const measuredAttempts = 300;

/**
 * What could be played now, and what the newest finished attempts and the matches in play say of a runner's pace. A match
 * that ended early has worked off all its hands: that is how the backlog is counted too.
 */
export async function readBacklog(
  pool: pg.Pool,
  options: { now: number; leaseSeconds: number },
): Promise<Map<JobKind, ClassBacklog>> {
  const { rows } = await pool.query<ClassBacklog>(
    `WITH waiting AS (
       SELECT kind, count(*) AS jobs, sum(num_rounds) AS hands FROM jobs WHERE state = 'QUEUED' GROUP BY kind),
     playing AS (
       SELECT j.kind, j.num_rounds - j.hands_done AS hands_left, j.hands_done,
         extract(epoch FROM j.lease_expires_at - $2 * interval '1 second' - a.claimed_at) AS seconds
       FROM jobs j JOIN attempts a ON a.job_id = j.id AND a.attempt = j.attempt WHERE j.state = 'RUNNING'),
     ended AS (
       SELECT job_id, claimed_at, ended_at FROM attempts WHERE outcome = 'FINISHED' AND ended_at > $1
       ORDER BY ended_at DESC LIMIT $3),
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
     LEFT JOIN (SELECT kind, count(*) AS jobs, sum(greatest(0, hands_left)) AS hands FROM playing GROUP BY kind) p USING (kind)
     LEFT JOIN measured m USING (kind)
     WHERE c.kind <> 'ALL'`,
    [new Date(options.now - measuredMs), options.leaseSeconds, measuredAttempts],
  );
  return new Map(rows.map((row) => [row.kind, row]));
}
