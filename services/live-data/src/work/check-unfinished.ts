import { isOutage } from '@husky/runtime/process/retry';
import type { Context } from '../context.ts';
import { type FollowContext, followJob } from '../load-match.ts';
import { unfinishedMatches } from '../store/matches.ts';
import { eachMatch, pagesById } from './each-match.ts';

const dayMs = 24 * 60 * 60 * 1000;
// A request to simulation at most a fifth of the time.
const pauseRatio = 4;
const maxConsecutiveFailures = 3;

type CheckContext = FollowContext & Pick<Context, 'stopping' | 'workLocks'>;

/**
 * Compares the matches that were opened more than a day ago and have not ended with simulation, in case an event was missed. One replica at
 * a time works, under an advisory lock. A run ends after three transient errors in a row, since simulation cannot be reached then.
 * `loggedJobIds`: the incomplete matches that earlier runs of this process have logged.
 */
export async function checkUnfinished(context: CheckContext, loggedJobIds: Set<string>): Promise<void> {
  const before = new Date(context.now() - dayMs);
  const search = pagesById((after, limit) => unfinishedMatches(context.db, before, after, limit));
  let consecutiveFailures = 0;
  await context.workLocks.run('unfinished_matches', async () => {
    await eachMatch<{ readonly jobId: string }>(context, {
      name: 'checking',
      // One at a time, so that it can give up after each.
      next: async () => (consecutiveFailures < maxConsecutiveFailures ? search(1) : []),
      async work({ jobId }) {
        try {
          await followJob(context, jobId, loggedJobIds);
          consecutiveFailures = 0;
        } catch (error) {
          consecutiveFailures = isOutage(error) ? consecutiveFailures + 1 : 0;
          throw error;
        }
      },
      concurrency: () => 1,
      pauseRatio: () => pauseRatio,
    });
  });
}
