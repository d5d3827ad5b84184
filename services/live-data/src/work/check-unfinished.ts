import { isInternal, isTransient } from '@husky/runtime/retry';
import type { Context } from '../context.ts';
import { type FollowContext, followJob } from '../load-match.ts';
import { unfinishedMatches } from '../store/matches.ts';
import { eachMatch } from './each-match.ts';

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
  let last = '00000000-0000-0000-0000-000000000000';
  let consecutiveFailures = 0;
  await context.workLocks.run('unfinished_matches', async () => {
    await eachMatch<{ readonly jobId: string }>(context, {
      name: 'checking',
      async next() {
        if (consecutiveFailures >= maxConsecutiveFailures) return [];
        const matches = await unfinishedMatches(context.db, before, last, 1);
        last = matches.at(-1)?.jobId ?? last;
        return matches;
      },
      async work({ jobId }) {
        try {
          await followJob(context, jobId, loggedJobIds);
          consecutiveFailures = 0;
        } catch (error) {
          consecutiveFailures = isTransient(error) && !isInternal(error) ? consecutiveFailures + 1 : 0;
          throw error;
        }
      },
      concurrency: () => 1,
      pauseRatio: () => pauseRatio,
    });
  });
}
