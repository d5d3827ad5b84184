import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import type { Context } from '../context.ts';
import { deleteMatch, followJob } from '../load-match.ts';
import { findMatch } from '../store/matches.ts';

/**
 * Synchronises a match with simulation when its job has ended. Idempotent and independent of order: the handler reads the
 * job's current state from simulation. A match that is not stored yet reads it when it is stored (loadMatch).
 */
export async function onJobEnded(context: Context, { jobId, status }: JobEnded__Output): Promise<void> {
  const match = isLowerCaseUuid(jobId) ? await findMatch(context.db, jobId) : null;
  // An accepted result never changes.
  if (match === null || (status === 'Finished' && match.acceptedAttempt !== null)) return;
  if (status === 'Deleted') await deleteMatch(context, jobId);
  else await followJob(context, jobId);
}
