import { jobEnded } from '@husky/contracts/events';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import type { JobResult } from '@husky/contracts/types/events/v1/JobResult';
import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { summarizeFaults } from '@husky/match/fault';
import { sql, texts } from '@husky/runtime/database/sql';
import { emit } from '@husky/runtime/messages/outbox';
import type pg from 'pg';
import { completeStates, growingStates } from '../domain/batch-state.ts';
import { type EndedStatus, jobState, unfinishedStates } from '../domain/job-state.ts';
import { maxOtherLosses, maxSuspectLosses } from '../domain/loss.ts';

export interface EndedJob {
  readonly id: string;
  readonly ownerId: string;
  readonly holderId: string;
  readonly batchId: string | null;
  readonly status: EndedStatus;
  readonly reason: string;
  /** Keeps its pins: it may be queued again. */
  readonly requeueable?: boolean;
}

/** Details of a finished match that live-data reports in addition to its results. */
export interface ResultDetails {
  readonly isPublic: boolean;
  readonly disabled: readonly { readonly userId: string; readonly reason: string }[];
  readonly seatFaults: readonly SeatFaults__Output[];
  readonly noContest: boolean;
}

const eventsPerStatement = 1000;
const noDetails: ResultDetails = { isPublic: false, disabled: [], seatFaults: [], noContest: false };

/**
 * Publishes job_ended of one job. Must be called after the change of the job, with its batch locked. A batch keeps its pins
 * until all its jobs are finished or it is deleted, because failed jobs may be retried.
 */
export async function writeJobEnded(
  client: pg.ClientBase,
  job: EndedJob,
  now: number,
  details: ResultDetails = noDetails,
): Promise<void> {
  const { id: jobId, ownerId, holderId, status, reason } = job;
  const lastOfHolder = await isLastOfHolder(client, job);
  const facts = status === 'Deleted' ? {} : await factsOf(client, jobId, now, details);
  const batchEnd = status === 'Deleted' ? {} : await batchEndOf(client, job.batchId);
  const event = { jobId, ownerId, holderId, status, reason, lastOfHolder, ...facts, ...batchEnd };
  await emit(client, jobEnded, event);
}

/** Publishes job_ended of many jobs of a batch that failed together. The batch keeps its pins. */
export async function writeJobsFailed(
  client: pg.ClientBase,
  jobIds: readonly string[],
  batch: { readonly id: string; readonly ownerId: string; readonly shownNumber: number; readonly reason: string },
  now: number,
): Promise<void> {
  const shared = {
    ownerId: batch.ownerId,
    holderId: batch.id,
    reason: batch.reason,
    status: 'Failed',
    lastOfHolder: false,
    kind: 'BATCH_MATCH',
    batchId: batch.id,
    batchNumber: batch.shownNumber,
    endedAt: new Date(now).toISOString(),
  };
  const batchEnd = await batchEndOf(client, batch.id);
  const events = jobIds.map((jobId) => ({ ...shared, jobId, ...(jobId === jobIds.at(-1) ? batchEnd : {}) }));
  for (let from = 0; from < events.length; from += eventsPerStatement) {
    await emit(client, jobEnded, ...events.slice(from, from + eventsPerStatement));
  }
}

/** Publishes job_ended of jobs that were deleted with their batch. */
export function writeJobsDeleted(
  client: pg.ClientBase,
  jobs: readonly { readonly jobId: string; readonly ownerId: string; readonly holderId: string }[],
): Promise<void> {
  const deleted = { status: 'Deleted', reason: 'deleted', lastOfHolder: false };
  return emit(client, jobEnded, ...jobs.map((job) => ({ ...job, ...deleted })));
}

/** Returns whether no other job needs the holder's pins. The holder of a duplicate match without a batch is its deal set, which the caller has locked. */
async function isLastOfHolder(client: pg.ClientBase, job: EndedJob): Promise<boolean> {
  const { id, batchId, holderId, status, requeueable = false } = job;
  if (batchId === null) {
    if (requeueable) return false;
    const others = await client.query(
      sql`SELECT FROM jobs WHERE deal_set_id = ${holderId} AND id <> ${id} AND (state = ANY (${texts(unfinishedStates)})
            OR state = ${jobState.failed} AND kind = 'MATCH' AND (suspect_losses >= ${maxSuspectLosses} OR other_losses >= ${maxOtherLosses})) LIMIT 1`,
    );
    return others.rowCount === 0;
  }
  if (status === 'Failed') return false;
  const { rows } = await client.query<{ last: boolean }>(
    sql`SELECT NOT EXISTS (SELECT FROM jobs WHERE batch_id = ${batchId} AND state <> ${jobState.finished} AND id <> ${id})
          AND NOT EXISTS (SELECT FROM batches WHERE id = ${batchId} AND state = ANY (${texts(growingStates)})) AS last`,
  );
  return rows[0]?.last ?? true;
}

interface FactsRow {
  readonly kind: string;
  readonly batchId: string;
  readonly batchNumber: number;
  readonly gameNumber: number;
  readonly handsPlayed: number;
  readonly numRounds: number;
  readonly seats: readonly { readonly userId: string; readonly delta: number | null }[];
}

async function factsOf(client: pg.ClientBase, id: string, now: number, details: ResultDetails): Promise<JobEnded> {
  const { rows } = await client.query<FactsRow>(
    sql`SELECT j.kind, coalesce(j.batch_id::text, '') AS "batchId", coalesce(b.shown_number, 0) AS "batchNumber",
          coalesce(j.game_number, j.job_number)::int AS "gameNumber", j.hands_played AS "handsPlayed",
          j.num_rounds AS "numRounds",
          (SELECT json_agg(json_build_object('userId', s.user_id, 'delta', s.delta) ORDER BY s.seat)
           FROM job_seats s WHERE s.job_id = j.id) AS seats
        FROM jobs j LEFT JOIN batches b ON b.id = j.batch_id WHERE j.id = ${id}`,
  );
  const [row] = rows;
  if (!row) return {};
  const { seats, ...facts } = row;
  const disabled = new Map(details.disabled.map(({ userId, reason }) => [userId, reason]));
  return {
    ...facts,
    endedAt: new Date(now).toISOString(),
    results: seats.map(({ userId, delta }) => ({
      userId,
      delta: delta ?? 0,
      disabled: disabled.get(userId) ?? '',
      ...faultsOf(details.seatFaults.find((one) => one.userId === userId)),
    })),
    noContest: details.noContest,
    isPublic: details.isPublic,
  };
}

function faultsOf(faults: SeatFaults__Output | undefined): Pick<JobResult, 'faults' | 'faultText' | 'neverStarted'> {
  if (!faults) return {};
  return { faults: summarizeFaults(faults), faultText: faults.firstText, neverStarted: faults.neverStarted };
}

/** Returns the end of the batch if it has no job left to create or to play. The caller must have locked the batch. */
async function batchEndOf(client: pg.ClientBase, batchId: string | null): Promise<Pick<JobEnded, 'batchEnded'>> {
  if (batchId === null) return {};
  const { rows } = await client.query<{ finished: number; failed: number }>(
    sql`SELECT (SELECT count(*)::int FROM jobs WHERE batch_id = ${batchId} AND state = ${jobState.finished}) AS finished,
          (SELECT count(*)::int FROM jobs WHERE batch_id = ${batchId} AND state = ${jobState.failed}) AS failed
        FROM batches WHERE id = ${batchId} AND state = ANY (${texts(completeStates)})
          AND NOT EXISTS (SELECT FROM jobs WHERE batch_id = ${batchId} AND state = ANY (${texts(unfinishedStates)}))`,
  );
  return rows[0] ? { batchEnded: rows[0] } : {};
}
