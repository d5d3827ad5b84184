import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import { isLowerCaseUuid } from '@husky/runtime/uuid';
import type { Context } from '../context.ts';
import { fetchFacts } from '../load-match.ts';
import { notifyWatchers } from '../match-feed.ts';
import { acceptAttempt } from '../store/attempts.ts';
import { failMatch, findMatch, purgeMatch } from '../store/matches.ts';

/**
 * Synchronises a match with simulation when its job has ended. Idempotent and independent of order: the handler reads the
 * job's current state from simulation.
 */
export async function onJobEnded(context: Context, event: JobEnded__Output): Promise<void> {
  const { jobId } = event;
  const match = isLowerCaseUuid(jobId) ? await findMatch(context.db, jobId) : null;
  // An accepted result never changes.
  if (match === null || (event.status === 'Finished' && match.acceptedAttempt !== null)) return;
  const job = event.status === 'Deleted' ? null : (await fetchFacts(context, jobId))?.job;
  if (!job) {
    await purgeMatch(context.db, jobId);
    context.archiving.kick();
  } else if (job.status === 'FINISHED') {
    // The dealer crashed after simulation, but before live-data, had accepted the result.
    const accepted = await acceptAttempt(context.db, jobId, job.attempt, new Date(context.now()));
    if (!accepted)
      context.log.error({ jobId }, `match ${jobId} is finished, but attempt ${job.attempt} is not stored completely`);
  } else if (job.status === 'FAILED') {
    await failMatch(context.db, jobId, job.errorMessage);
  }
  notifyWatchers(context.messaging, jobId);
}
