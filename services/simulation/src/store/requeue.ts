import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { jobNotFound, queueCost } from '../domain/job.ts';
import { jobState, pendingStates } from '../domain/job-state.ts';
import { stuckReason } from '../domain/loss.ts';
import type { AuditWriter } from './audit.ts';
import { changeJob, lockJob } from './job-changes.ts';
import { reserveTags } from './queue.ts';

/**
 * Queues a stuck match again, with the same cards. Its attempt ends, so that what its runner still delivers is refused; a result that was accepted
 * before stays. No effect on a match that waits. Throws NOT_FOUND, or FAILED_PRECONDITION for one that is not stuck.
 */
export function requeueStuck(
  pool: pg.Pool,
  jobId: string,
  now: number,
  auditWriterFor: (before: { readonly state: string; readonly stuck: string }) => AuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job || job.state === jobState.deleting) throw jobNotFound();
    if (pendingStates.includes(job.state)) return;
    const stuck = stuckReason(job, now);
    if (stuck === '') throw notStuck(job.batchId !== null && job.state === jobState.failed);
    if (job.state === jobState.running) {
      await changeJob(client, job, 'lost', { now, cause: 'requeued by an admin', set: sql`, hands_done = 0` });
    } else {
      const tag = await reserveTags(client, job.kind, job.ownerId, queueCost(job.numRounds), 1);
      const set = sql`, error_message = '', ended_at = NULL, hands_done = 0, suspect_losses = 0, other_losses = 0, queue_tag = ${tag}`;
      await changeJob(client, job, 'retried', { now, set });
    }
    await auditWriterFor({ state: job.state, stuck })(client);
  });
}

function notStuck(failedInBatch: boolean): DomainError {
  const message = failedInBatch
    ? 'Retry its batch: that queues its failed matches again.'
    : 'This match is not stuck. Only one without a new hand for 15 minutes, or whose runners were lost too often, is queued again.';
  return new DomainError('FAILED_PRECONDITION', 'not-stuck', message);
}
