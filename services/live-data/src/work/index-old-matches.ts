import type { Context } from '../context.ts';
import type { Match } from '../domain/match.ts';
import { indexMatch } from '../read-hands.ts';
import { matchesWithoutIndex } from '../store/hand-indexes.ts';
import { eachMatch, pagesById } from './each-match.ts';

// At most a fifth of a processor, so that matches in play do not wait for old ones.
const pauseRatio = 4;

/**
 * Indexes the finished matches that have no hand index, such as those of an earlier release. One replica at a time works, under an
 * advisory lock; the next run resumes an interrupted one, since indexed matches are skipped.
 */
export async function indexOldMatches(context: Context): Promise<void> {
  await context.workLocks.run('hand_indexes', async () => {
    const indexed = await eachMatch(context, {
      name: 'indexing',
      next: pagesById<Match>((after, limit) => matchesWithoutIndex(context.db, after, limit)),
      work: (match) => indexMatch(context.db, match),
      concurrency: () => 1,
      pauseRatio: () => pauseRatio,
    });
    if (indexed > 0) context.log.info({ indexed }, `indexed the hands of ${indexed} matches`);
  });
}
