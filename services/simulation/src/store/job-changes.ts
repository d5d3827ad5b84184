import { at, empty, ids, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { type JobKind, runnerState } from '../domain/job.ts';
import {
  type AttemptOutcome,
  type JobEvent,
  type JobState,
  jobsTransition,
  jobTransition,
  openAttempt,
} from '../domain/job-state.ts';
import type { SeatUsage } from '../domain/loss.ts';
import { countAttempt, recordTestRun } from '../metrics.ts';
import { type ResultDetails, writeJobEnded } from './job-ended.ts';
import { notifyQueue } from './queue.ts';

/** The facts that decide about changes of a job, read under its lock. */
export interface LockedJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly ownerId: string;
  readonly batchId: string | null;
  readonly holderId: string;
  readonly numRounds: number;
  readonly attempt: number;
  readonly seatsRunning: boolean;
  readonly suspectLosses: number;
  readonly otherLosses: number;
  readonly acceptedAttempt: number | null;
  readonly held: boolean;
  readonly batchPaused: boolean;
  readonly batchHeld: boolean;
  readonly createdAt: Date;
  readonly progressAt: Date | null;
}

/**
 * Locks a job after locking its batch: changes of a whole batch lock in the same order. The deal set of a duplicate match
 * without a batch is locked like a batch, so that one of its jobs is the last. Returns undefined for an unknown job.
 */
export async function lockJob(client: pg.ClientBase, jobId: string): Promise<LockedJob | undefined> {
  const batch = await client.query<{ paused: boolean; held: boolean }>(
    sql`SELECT paused, held FROM batches WHERE id = (SELECT batch_id FROM jobs WHERE id = ${jobId}) FOR UPDATE`,
  );
  if (batch.rowCount === 0) {
    await client.query(
      sql`SELECT FROM deal_sets WHERE id = (SELECT holder_id FROM jobs WHERE id = ${jobId}) FOR UPDATE`,
    );
  }
  const { paused: batchPaused = false, held: batchHeld = false } = batch.rows[0] ?? {};
  const { rows } = await client.query<Omit<LockedJob, 'batchPaused' | 'batchHeld'>>(
    sql`SELECT id, kind, state, owner_id AS "ownerId", batch_id AS "batchId", holder_id AS "holderId", num_rounds AS "numRounds", attempt,
          seats_running AS "seatsRunning", suspect_losses AS "suspectLosses", other_losses AS "otherLosses",
          accepted_attempt AS "acceptedAttempt", held, created_at AS "createdAt", progress_at AS "progressAt"
        FROM jobs WHERE id = ${jobId} FOR UPDATE`,
  );
  return rows[0] && { ...rows[0], batchPaused, batchHeld };
}

export interface ChangeDetails {
  readonly now: number;
  /** Why the attempt ends. */
  readonly cause?: string;
  /** Why the job ends. */
  readonly reason?: string;
  /** Whether the bots may have caused the end of the attempt. */
  readonly suspect?: boolean;
  readonly usage?: readonly SeatUsage[];
  /** Further columns that the event sets, beginning with a comma. */
  readonly set?: Sql;
  readonly result?: ResultDetails;
}

/**
 * Saves the transition of a locked job on an event and performs its effects. Returns false, without a change, if the event
 * does not apply to the job's state.
 */
export async function changeJob(
  client: pg.ClientBase,
  job: LockedJob,
  event: JobEvent,
  details: ChangeDetails,
): Promise<boolean> {
  const transition = jobTransition(job.state, event, job.batchPaused);
  if (!transition) return false;
  const { to, effects } = transition;
  if (to !== 'DELETED') {
    await client.query(
      sql`UPDATE jobs SET state = ${to}, runner = NULL, lease_expires_at = NULL, seats_running = false,
            prepare_after = NULL ${details.set ?? empty}
          WHERE id = ${job.id}`,
    );
  }
  if (effects.endAttempt) await endAttempt(client, job, effects.endAttempt, details);
  if (effects.notifyQueue) await notifyQueue(client);
  if (effects.publishEnded) {
    const requeueable = event === 'givenUp' && job.kind === 'MATCH';
    const ended = { ...job, status: effects.publishEnded, reason: details.reason ?? '', requeueable };
    await writeJobEnded(client, ended, details.now, details.result);
  }
  const isEnd = to === 'FINISHED' || to === 'FAILED';
  if (isEnd && job.kind === 'TEST_RUN') recordTestRun(event === 'givenUp', details.now - job.createdAt.getTime());
  return true;
}

/** Returns the assignments of columns for a job that fails, beginning with a comma. */
export const failureColumns = (message: string, now: number): Sql =>
  sql`, error_message = ${message}, ended_at = ${at(now)}`;

async function endAttempt(
  client: pg.ClientBase,
  job: LockedJob,
  outcome: AttemptOutcome,
  { now, cause = '', suspect = false, usage = [] }: ChangeDetails,
): Promise<void> {
  const { rows } = await client.query<{ claimedAt: Date }>(
    sql`UPDATE attempts SET outcome = ${outcome}, cause = ${cause}, bot_suspect = ${suspect}, ended_at = ${at(now)}
          ${usage.length > 0 ? sql`, usage = ${json(usage)}` : empty}
        WHERE job_id = ${job.id} AND attempt = ${job.attempt} AND outcome = ${openAttempt}
        RETURNING claimed_at AS "claimedAt"`,
  );
  for (const { claimedAt } of rows) countAttempt(job.kind, outcome, now - claimedAt.getTime());
  await client.query(sql`UPDATE runners SET state = ${runnerState.idle}, job_id = NULL WHERE job_id = ${job.id}`);
}

/** Fails a job unless it has ended. Its runner is notified by its next heartbeat. Returns whether the job was failed. */
export function failUnfinished(pool: pg.Pool, jobId: string, message: string, now: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job) return false;
    return changeJob(client, job, 'failed', {
      now,
      cause: message,
      reason: message,
      set: failureColumns(message, now),
    });
  });
}

/**
 * Saves the transition of all jobs of a locked batch to which an event applies, and performs its effects, except that the
 * caller publishes job_ended. Returns the ids of these jobs.
 */
export async function changeBatchJobs(
  client: pg.ClientBase,
  batch: { readonly id: string; readonly paused: boolean },
  event: JobEvent,
  details: Pick<ChangeDetails, 'now' | 'cause' | 'set'>,
): Promise<string[]> {
  const { from, to, effects } = jobsTransition(event, batch.paused);
  // Jobs before their attempts, as heartbeats lock them.
  const { rows } = await client.query<{ id: string }>(
    sql`UPDATE jobs SET state = ${to}, runner = NULL, lease_expires_at = NULL, seats_running = false,
          prepare_after = NULL ${details.set ?? empty}
        WHERE batch_id = ${batch.id} AND state = ANY (${texts(from)}) RETURNING id`,
  );
  const changed = rows.map(({ id }) => id);
  if (effects.endAttempt) {
    await client.query(
      sql`UPDATE attempts SET outcome = ${effects.endAttempt}, cause = ${details.cause ?? ''}, ended_at = ${at(details.now)}
          WHERE job_id = ANY (${ids(changed)}) AND outcome = ${openAttempt}`,
    );
  }
  if (effects.notifyQueue) await notifyQueue(client);
  return changed;
}
