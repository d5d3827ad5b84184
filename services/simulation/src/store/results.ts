import { at, ids, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';
import { countFaults } from '../metrics.ts';
import { changeJob, lockJob } from './job-changes.ts';
import type { ResultDetails } from './job-ended.ts';
import { scheduleStopRule } from './stop-rules.ts';

export interface Result extends ResultDetails {
  readonly jobId: string;
  readonly attempt: number;
  readonly handsPlayed: number;
  readonly endedEarly: string;
  readonly digest: string;
  readonly results: readonly { readonly userId: string; readonly delta: number }[];
}

/** Accepts the result of the current attempt. Idempotent: repeating it for the accepted attempt has no effect. */
export function acceptResult(
  pool: pg.Pool,
  result: Result,
  now: number,
): Promise<{ accepted: boolean; acceptedAttempt: number }> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, result.jobId);
    const acceptedAttempt = job?.acceptedAttempt ?? 0;
    if (job?.state === jobState.finished) return { accepted: acceptedAttempt === result.attempt, acceptedAttempt };
    if (job?.state !== jobState.running || job.attempt !== result.attempt) return { accepted: false, acceptedAttempt };
    await storeDeltas(client, result);
    await storeFaults(client, result);
    countFaults(job.kind, result.seatFaults);
    const { attempt, handsPlayed, endedEarly, digest, noContest } = result;
    await changeJob(client, job, 'accepted', {
      now,
      reason: endedEarly,
      result,
      set: sql`, accepted_attempt = ${attempt}, hands_played = ${handsPlayed}, hands_done = ${handsPlayed},
        ended_early = ${endedEarly}, digest = ${digest}, ended_at = ${at(now)}, no_contest = ${noContest}`,
    });
    if (job.batchId !== null) await scheduleStopRule(client, job.batchId, now);
    return { accepted: true, acceptedAttempt: attempt };
  });
}

async function storeDeltas(client: pg.ClientBase, { jobId, results }: Result): Promise<void> {
  // With carried stacks nobody can lose more than the starting stack.
  const { rows } = await client.query<{ userId: string; lowest: number | null }>(
    sql`SELECT s.user_id AS "userId", CASE WHEN j.stacks = 'carry' THEN -j.starting_stack END AS lowest
        FROM job_seats s JOIN jobs j ON j.id = s.job_id WHERE s.job_id = ${jobId}`,
  );
  const lowest = Math.max(...rows.map((row) => row.lowest ?? Number.NEGATIVE_INFINITY));
  const expected = rows.map((row) => row.userId).sort();
  const given = results.map((one) => one.userId).sort();
  const sum = results.reduce((total, one) => total + one.delta, 0);
  if (JSON.stringify(expected) !== JSON.stringify(given) || sum !== 0 || results.some(({ delta }) => delta < lowest)) {
    throw new DomainError(
      'INVALID_ARGUMENT',
      'result-invalid',
      'The results are not those of the players, do not sum to zero or exceed the starting stack',
    );
  }
  await client.query(
    sql`UPDATE job_seats s SET delta = r.delta
        FROM unnest(${ids(results.map((one) => one.userId))}, ${results.map((one) => one.delta)}::bigint[])
          AS r(user_id, delta)
        WHERE s.job_id = ${jobId} AND s.user_id = r.user_id`,
  );
}

async function storeFaults(client: pg.ClientBase, { jobId, seatFaults }: Result): Promise<void> {
  await client.query(
    sql`UPDATE job_seats s SET faults = f.faults
        FROM unnest(${ids(seatFaults.map((one) => one.userId))},
          ${seatFaults.map((one) => JSON.stringify(one))}::jsonb[]) AS f(user_id, faults)
        WHERE s.job_id = ${jobId} AND s.user_id = f.user_id`,
  );
}
