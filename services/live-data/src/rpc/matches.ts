import type { ListMatchesRequest__Output } from '@husky/contracts/types/live/v1/ListMatchesRequest';
import type { ListMatchesResponse } from '@husky/contracts/types/live/v1/ListMatchesResponse';
import type { PurgeMatchResponse } from '@husky/contracts/types/live/v1/PurgeMatchResponse';
import { idRange } from '@husky/runtime/database/id-range';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { mayReadTotals, readsSealed } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { deleteMatch } from '../load-match.ts';
import { countMatches, type ListedMatch, listMatches as page } from '../store/lists.ts';

const bestMs = 7 * 24 * 60 * 60 * 1000;
const statuses = new Set(['', 'Running', 'Finished', 'Failed']);

/** Lists matches that have hands, with the totals of their visibility. Returns an empty page for filters that cannot match. */
export function listMatches(context: Context): LiveDataHandlers['listMatches'] {
  return async (request, { caller }): Promise<ListMatchesResponse> => {
    if (!statuses.has(request.status)) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-status', 'A status is Running, Finished or Failed.');
    }
    if (!['', 'newest', 'oldest', 'best'].includes(request.order)) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-order', 'The order is newest, oldest or best.');
    }
    const ids = request.jobIdBegins === '' ? undefined : idRange(request.jobIdBegins);
    const { playerId, opponentIds, batchId } = request;
    const playerIds = [...(playerId === '' ? [] : [playerId]), ...opponentIds];
    const known = [...playerIds, ...(batchId === '' ? [] : [batchId])].every(isLowerCaseUuid);
    if ((request.jobIdBegins !== '' && ids === undefined) || !known)
      return { matches: [], total: 0, totalGames: 0, totalPlayers: 0, recent: 0 };
    const filter = {
      visibility: visibilityOf(request),
      sealed: readsSealed(caller),
      ladder: request.ladder && request.publicOnly,
      status: request.status,
      oldestFirst: request.order === 'oldest',
      bestSince: request.order === 'best' ? new Date(context.now() - bestMs) : undefined,
      ids,
      playerIds,
      batchId: batchId === '' ? undefined : batchId,
    };
    const [matches, totals] = await Promise.all([
      page(context.db, filter, pageOf(request)),
      countMatches(context.db, filter, context.now()),
    ]);
    const withTotals = request.publicOnly || mayReadTotals(caller);
    return {
      matches: matches.map((match) => present(match, context.now())),
      total: totals.total,
      totalGames: withTotals ? totals.games : 0,
      totalPlayers: withTotals ? totals.players : 0,
      recent: totals.recent,
    };
  };
}

function visibilityOf({ publicOnly, privateOnly }: ListMatchesRequest__Output): 'all' | 'public' | 'private' {
  if (publicOnly) return 'public';
  return privateOnly ? 'private' : 'all';
}

function present(match: ListedMatch, now: number) {
  const seconds = match.startedAt === null ? 0 : (now - match.startedAt.getTime()) / 1000;
  return {
    jobId: match.jobId,
    batchId: match.batchId ?? '',
    playerIds: [...match.playerIds],
    firstGameCreatedAt: match.firstHandAt?.toISOString() ?? '',
    isPublic: match.isPublic,
    status: match.status,
    batchNumber: match.batchNumber,
    gameNumber: match.gameNumber,
    hands: match.handsNow,
    numRounds: match.numRounds,
    stacks: match.stacks,
    handsPerSecond: seconds > 0 ? match.handsNow / seconds : 0,
    deltas: match.stacksNow.map((chips) => (match.noContest ? 0 : chips - match.startingStack)),
    endReason: match.endReason,
    endedAt: match.endedAt?.toISOString() ?? '',
  };
}

/** Deletes a match with everything stored about it. Idempotent. */
export function purgeMatch(context: Context): LiveDataHandlers['purgeMatch'] {
  return async (request): Promise<PurgeMatchResponse> => {
    const hands = isLowerCaseUuid(request.jobId) ? await deleteMatch(context, request.jobId) : null;
    if (hands === null) return { hands: 0 };
    context.log.info({ jobId: request.jobId }, `match ${request.jobId} was purged`);
    return { hands };
  };
}
