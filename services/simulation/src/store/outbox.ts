import { jobEnded } from '@husky/contracts/events';
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

/**
 * Tells that a job has ended, in the transaction of that. A batch keeps its pins until all its jobs are finished or it is
 * deleted, since failed ones may be retried; call it after the job's change, with the batch locked.
 */
export async function writeJobEnded(client: pg.ClientBase, job: EndedJob): Promise<void> {
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
  });
  await client.query('INSERT INTO outbox (subject, payload, trace_context) VALUES ($1, $2, $3)', [
    row.subject,
    row.payload,
    row.traceContext,
  ]);
}

/** Tells of many jobs that failed together; their holder goes on holding. */
export async function writeJobsFailed(
  client: pg.ClientBase,
  jobIds: readonly string[],
  of: { ownerId: string; holderId: string; reason: string },
): Promise<void> {
  const perStatement = 1000;
  for (let from = 0; from < jobIds.length; from += perStatement) {
    const rows = jobIds
      .slice(from, from + perStatement)
      .map((jobId) => outboxRow(jobEnded, { ...of, jobId, status: 'Failed', lastOfHolder: false }));
    await client.query(
      'INSERT INTO outbox (subject, payload, trace_context) SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[])',
      [
        rows.map((row) => row.subject),
        rows.map((row) => Buffer.from(row.payload)),
        rows.map((row) => row.traceContext),
      ],
    );
  }
}
