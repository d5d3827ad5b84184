import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { indexMatch } from '../read-hands.ts';
import { matchesWithoutIndex, withIndexLock } from '../store/hand-indexes.ts';

const matchesAtOnce = 20;
// At most a fifth of a processor, so that matches in play do not wait for old ones.
const pausesPerWork = 4;
const firstJobId = '00000000-0000-0000-0000-000000000000';

/**
 * Indexes the finished matches that have no hand index, such as those of an earlier release. One replica at a time works, under an
 * advisory lock; an interrupted run is resumed by the next one, since indexed matches are skipped. A match that cannot be read is
 * logged and left out.
 */
export async function indexOldMatches(context: Context): Promise<void> {
  await withIndexLock(context.db, async () => {
    let after = firstJobId;
    let indexed = 0;
    while (!context.stopping.aborted) {
      const matches = await matchesWithoutIndex(context.db, after, matchesAtOnce);
      for (const match of matches) {
        if (context.stopping.aborted) return;
        const startedAt = performance.now();
        await indexMatch(context.db, match).then(
          () => {
            indexed += 1;
          },
          (error: unknown) =>
            context.log.warn({ err: error, jobId: match.jobId }, `indexing match ${match.jobId}: ${messageOf(error)}`),
        );
        await pause(pausesPerWork * (performance.now() - startedAt), undefined, { signal: context.stopping }).catch(
          () => undefined,
        );
        after = match.jobId;
      }
      if (matches.length < matchesAtOnce) break;
    }
    if (indexed > 0) context.log.info({ indexed }, `indexed the hands of ${indexed} matches`);
  });
}
