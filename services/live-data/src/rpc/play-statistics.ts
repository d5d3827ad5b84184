import type { PlayStatistics } from '@husky/contracts/types/live/v1/PlayStatistics';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, LiveDataHandlers } from '../context.ts';
import { sumPlay } from '../domain/play.ts';
import { batchNotFound } from '../domain/refusals.ts';
import { playedSeats, playVersion } from '../store/play-counters.ts';

/**
 * Returns statistics of play, summed over the finished matches in which all these players sat. Sums are cached until a match enters or
 * leaves the selection, or is counted.
 */
export function getPlayStatistics(context: Context): LiveDataHandlers['getPlayStatistics'] {
  return async (request): Promise<PlayStatistics> => {
    const { playerIds, batchId, publicOnly } = request;
    if (playerIds.length < 1 || playerIds.length > 2 || !playerIds.every(isLowerCaseUuid)) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-players', 'Name one or two players by their ids.');
    }
    if (batchId !== '' && !isLowerCaseUuid(batchId)) throw batchNotFound();
    const filter = { publicOnly, batchId: batchId === '' ? undefined : batchId, playerIds };
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
