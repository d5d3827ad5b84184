import type { GetResultsRequest__Output } from '@husky/contracts/types/live/v1/GetResultsRequest';
import type { PlayStatistics } from '@husky/contracts/types/live/v1/PlayStatistics';
import type { Results as PresentedResults } from '@husky/contracts/types/live/v1/Results';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { readsPrivateResults, readsSealed } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { sumPlay } from '../domain/play.ts';
import { batchNotFound } from '../domain/refusals.ts';
import { type Results, sumResults } from '../domain/results.ts';
import { publicBatches } from '../store/batch-visibility.ts';
import { playedSeats, playVersion } from '../store/play-counters.ts';
import { type ResultsFilter, readResults, resultsVersion } from '../store/results.ts';

/**
 * Returns sums over finished matches. A private batch is unknown to everybody but admins (NOT_FOUND). Sums are cached until a
 * match enters or leaves the selection.
 */
export function getResults(context: Context): LiveDataHandlers['getResults'] {
  return async (request, call): Promise<PresentedResults> => {
    const filter = await filterOf(context, request, readsPrivateResults(call.caller));
    const version = await resultsVersion(context.db, filter);
    const key = JSON.stringify(filter);
    const cached = context.results.get(key);
    if (cached?.version === version) return present(cached.results);
    const ids = filter.batchId === undefined ? filter.playerIds : undefined;
    const results = await sumResults(await readResults(context.db, filter), ids);
    context.results.set(key, { version, results });
    return present(results);
  };
}

async function filterOf(
  context: Context,
  request: GetResultsRequest__Output,
  asAdmin: boolean,
): Promise<ResultsFilter> {
  const { batchId, playerIds } = request;
  if (batchId === '') {
    if (playerIds.length < 1 || playerIds.length > 2 || !playerIds.every(isLowerCaseUuid)) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-players', 'Name one or two players by their ids, or a batch.');
    }
    return { publicOnly: true, sealed: false, batchId: undefined, playerIds: [...playerIds].sort() };
  }
  const known = isLowerCaseUuid(batchId) && (asAdmin || (await publicBatches(context.db.pool, [batchId])).length > 0);
  if (!known) throw batchNotFound();
  return { publicOnly: !asAdmin, sealed: asAdmin, batchId, playerIds: [] };
}

function present({ matches, hands, players, points }: Results): PresentedResults {
  return {
    matches,
    hands,
    points: [...points],
    players: players.map(({ curve, wonFrom, ahead, shared, ...sums }) => ({
      ...sums,
      curve: [...curve],
      wonFrom: [...wonFrom],
      ahead: [...ahead],
      shared: [...shared],
    })),
  };
}

/**
 * Returns statistics of play, summed over the finished matches in which all these players sat. Sums are cached until a match enters or
 * leaves the selection, or is counted.
 */
export function getPlayStatistics(context: Context): LiveDataHandlers['getPlayStatistics'] {
  return async (request, { caller }): Promise<PlayStatistics> => {
    const { playerIds, batchId, publicOnly } = request;
    if (playerIds.length < 1 || playerIds.length > 2 || !playerIds.every(isLowerCaseUuid)) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-players', 'Name one or two players by their ids.');
    }
    if (batchId !== '' && !isLowerCaseUuid(batchId)) throw batchNotFound();
    const sealed = readsSealed(caller);
    const filter = { publicOnly, sealed, batchId: batchId === '' ? undefined : batchId, playerIds };
    const version = await playVersion(context.db, filter);
    const key = JSON.stringify(filter);
    const cached = context.play.get(key);
    if (cached?.version === version) return cached.statistics;
    const { matches, pending, players } = await sumPlay(playerIds, await playedSeats(context.db, filter));
    const statistics = {
      matches,
      pending,
      players: players.map(({ figures, times, luck, ...rest }) => ({
        ...rest,
        figures: [...figures],
        times: times && { ...times, counts: [...times.counts] },
        luck: { points: [...luck.points], raw: [...luck.raw], adjusted: [...luck.adjusted], pending: luck.pending },
      })),
    };
    context.play.set(key, { version, statistics });
    return statistics;
  };
}
