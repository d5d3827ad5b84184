import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchNotFound } from '../domain/not-found.ts';
import { batchProgress, finishedGames } from '../store/batch-holds.ts';

const mostGames = 2000;

/** For leaderboard. A limit of 0 asks for the counts alone. */
export function listBatchResults(context: Context): SimulationHandlers['listBatchResults'] {
  return async ({ batchId, afterGame, limit }) => {
    const progress = isUuid(batchId) ? await batchProgress(context.pool, batchId) : undefined;
    if (!progress) throw batchNotFound();
    const games =
      limit <= 0 ? [] : await finishedGames(context.pool, batchId, Math.max(0, afterGame), Math.min(limit, mostGames));
    const { totalJobs, finishedJobs } = progress;
    return { games: games.map((game) => ({ ...game, results: [...game.results] })), totalJobs, finishedJobs };
  };
}
