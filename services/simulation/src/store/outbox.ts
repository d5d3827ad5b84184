import { jobEnded } from '@husky/contracts/events';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import type { JobResult } from '@husky/contracts/types/events/v1/JobResult';
import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { faultsInWords } from '@husky/match/faults-in-words';
import { outboxRow } from '@husky/runtime/outbox';
import type pg from 'pg';

export interface EndedJob {
  readonly id: string;
  readonly ownerId: string;
  readonly holderId: string;
  readonly batchId: string | null;
  readonly status: 'Finished' | 'Failed' | 'Deleted';
  readonly reason: string;
}

/** What simulation is told of a finished match beside its result. */
export interface MatchRemarks {
  readonly isPublic: boolean;
  readonly disabled: readonly { readonly userId: string; readonly reason: string }[];
  readonly seatFaults: readonly SeatFaults__Output[];
  readonly noContest: boolean;
}

const noRemarks: MatchRemarks = { isPublic: false, disabled: [], seatFaults: [], noContest: false };

/**
 * Tells that a job has ended, in the transaction of that. A batch keeps its pins until all its jobs are finished or it is
 * deleted, since failed ones may be retried; call it after the job's change, with the batch locked.
 */
export async function writeJobEnded(
  client: pg.ClientBase,
  job: EndedJob,
  now: number,
  remarks: MatchRemarks = noRemarks,
): Promise<void> {
  const { rows } = await client.query<{ last: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM jobs WHERE batch_id = $1 AND state <> 'FINISHED' AND id <> $2)
        AND NOT EXISTS (SELECT FROM batches WHERE id = $1 AND state IN ('PREPARING', 'GENERATING')) AS last`,
    [job.batchId, job.id],
  );
  const row = outboxRow(jobEnded, {
    jobId: job.id,
    ownerId: job.ownerId,
    holderId: job.holderId,
    status: job.status,
    reason: job.reason,
    lastOfHolder: job.batchId === null || (job.status !== 'Failed' && (rows[0]?.last ?? true)),
    ...(job.status === 'Deleted' ? {} : await factsOf(client, job.id, now, remarks)),
    ...(job.status === 'Deleted' ? {} : await batchEndOf(client, job.batchId)),
  });
  await client.query('INSERT INTO outbox (subject, payload, trace_context) VALUES ($1, $2, $3)', [
    row.subject,
    row.payload,
    row.traceContext,
  ]);
}

interface FactsRow {
  readonly kind: string;
  readonly batch_id: string | null;
  readonly batch_number: number | null;
  readonly game_number: number;
  readonly hands_played: number;
  readonly num_rounds: number;
  readonly seats: readonly { readonly userId: string; readonly delta: number | null }[];
}

async function factsOf(client: pg.ClientBase, id: string, now: number, remarks: MatchRemarks): Promise<JobEnded> {
  const { rows } = await client.query<FactsRow>(
    `SELECT j.kind, j.batch_id, b.shown_number AS batch_number, coalesce(j.game_number, j.job_number)::int AS game_number,
       j.hands_played, j.num_rounds,
       (SELECT json_agg(json_build_object('userId', s.user_id, 'delta', s.delta) ORDER BY s.seat)
        FROM job_seats s WHERE s.job_id = j.id) AS seats
     FROM jobs j LEFT JOIN batches b ON b.id = j.batch_id WHERE j.id = $1`,
    [id],
  );
  const [facts] = rows;
  if (!facts) return {};
  const disabled = new Map(remarks.disabled.map(({ userId, reason }) => [userId, reason]));
  return {
    ...{ kind: facts.kind, batchId: facts.batch_id ?? '', batchNumber: facts.batch_number ?? 0 },
    ...{ gameNumber: facts.game_number, handsPlayed: facts.hands_played, numRounds: facts.num_rounds },
    endedAt: new Date(now).toISOString(),
    results: facts.seats.map(({ userId, delta }) => ({
      ...{ userId, delta: delta ?? 0, disabled: disabled.get(userId) ?? '' },
      ...faultsOf(remarks.seatFaults.find((one) => one.userId === userId)),
    })),
    noContest: remarks.noContest,
    isPublic: remarks.isPublic,
  };
}

function faultsOf(faults: SeatFaults__Output | undefined): Pick<JobResult, 'faults' | 'faultText' | 'neverStarted'> {
  if (!faults) return {};
  return { faults: faultsInWords(faults), faultText: faults.firstText, neverStarted: faults.neverStarted };
}

/** Set when no job of the batch is left to be made or to end; the batch is locked by the caller. */
async function batchEndOf(client: pg.ClientBase, batchId: string | null): Promise<Pick<JobEnded, 'batchEnded'>> {
  if (batchId === null) return {};
  const { rows } = await client.query<{ finished: number; failed: number }>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE batch_id = $1 AND state = 'FINISHED') AS finished,
       (SELECT count(*)::int FROM jobs WHERE batch_id = $1 AND state = 'FAILED') AS failed
     FROM batches WHERE id = $1 AND state NOT IN ('PREPARING', 'GENERATING', 'DELETING')
       AND NOT EXISTS (SELECT FROM jobs WHERE batch_id = $1 AND state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING'))`,
    [batchId],
  );
  return rows[0] ? { batchEnded: rows[0] } : {};
}

/** Tells of many jobs of a batch that failed together; the batch goes on holding. */
export async function writeJobsFailed(
  client: pg.ClientBase,
  jobIds: readonly string[],
  of: { readonly ownerId: string; readonly batchId: string; readonly reason: string },
  now: number,
): Promise<void> {
  const perStatement = 1000;
  const last = jobIds.at(-1);
  if (last === undefined) return;
  const facts = { ownerId: of.ownerId, holderId: of.batchId, reason: of.reason, status: 'Failed', lastOfHolder: false };
  const { rows } = await client.query<{ number: number }>('SELECT shown_number AS number FROM batches WHERE id = $1', [
    of.batchId,
  ]);
  const more = { kind: 'BATCH_MATCH', batchId: of.batchId, batchNumber: rows[0]?.number ?? 0 };
  const end = await batchEndOf(client, of.batchId);
  for (let from = 0; from < jobIds.length; from += perStatement) {
    const events = jobIds.slice(from, from + perStatement).map((jobId) => ({
      ...{ ...facts, ...more, jobId, endedAt: new Date(now).toISOString() },
      ...(jobId === last ? end : {}),
    }));
    await insertJobEnded(client, events);
  }
}

/** Publishes job_ended for jobs that were deleted with their batch. */
export function writeJobsDeleted(
  client: pg.ClientBase,
  jobs: readonly { readonly jobId: string; readonly ownerId: string; readonly holderId: string }[],
): Promise<void> {
  const deleted = { status: 'Deleted', reason: 'deleted', lastOfHolder: false };
  return insertJobEnded(
    client,
    jobs.map((job) => ({ ...job, ...deleted })),
  );
}

async function insertJobEnded(client: pg.ClientBase, events: readonly JobEnded[]): Promise<void> {
  const rows = events.map((event) => outboxRow(jobEnded, event));
  await client.query(
    'INSERT INTO outbox (subject, payload, trace_context) SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[])',
    [rows.map((row) => row.subject), rows.map((row) => Buffer.from(row.payload)), rows.map((row) => row.traceContext)],
  );
}
