import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import type { OpenService } from '@husky/runtime/process/open-service';
import type { Context } from '../context.ts';
import type { Match } from '../domain/match.ts';
import { makeExports } from '../exports/make-exports.ts';
import type { PrismaClient } from '../generated/client.ts';
import type { OpenContext } from '../open-context.ts';
import { indexMatch } from '../read-hands.ts';
import { matchesWithoutIndex } from '../store/hand-indexes.ts';
import { applyRetention } from './apply-retention.ts';
import { checkUnfinished } from './check-unfinished.ts';
import { eachMatch, pagesById } from './each-match.ts';

// Matches that a replica of an earlier release finishes during an upgrade are indexed by the next run.
const indexIntervalMs = 10 * 60_000;
// Finished matches are computed at once; this finds those without values, see ValuesWork.
const valuesIntervalMs = 60_000;
// Exports of other replicas, and those to remove.
const exportIntervalMs = 30_000;
const retentionIntervalMs = 60 * 60_000;
// Events report nearly every end.
const unfinishedIntervalMs = 60 * 60_000;

/** Starts the background work. Every replica may run it concurrently. */
export function startWork(
  service: OpenService<PrismaClient>,
  life: Pick<Lifecycle, 'onStop'>,
  context: OpenContext,
): void {
  const { values, standings, simulation } = context;
  life.onStop('thread of standings', () => standings.close());
  service.repeat('indexing old matches', indexIntervalMs, () => indexOldMatches(context));
  life.onStop('threads of values', () => values.close());
  const computing = service.repeat('computing values', valuesIntervalMs, () => values.run());
  values.onEnqueued(() => computing.kick());
  service.repeat('removing old data', retentionIntervalMs, async () => {
    await applyRetention(context, await simulation.getSettings({}));
  });
  const logged = new Set<string>();
  service.repeat('checking unfinished matches', unfinishedIntervalMs, () => checkUnfinished(context, logged));
  context.exporting.add(service.repeat('making exports', exportIntervalMs, () => makeExports(context)));
}

// At most a fifth of a processor, so that matches in play do not wait for old ones.
const pauseRatio = 4;

/**
 * Indexes the finished matches that have no hand index, such as those of an earlier release. One replica at a time works, under an
 * advisory lock; the next run resumes an interrupted one, since indexed matches are skipped.
 */
async function indexOldMatches(context: Context): Promise<void> {
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
