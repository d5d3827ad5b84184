import type { ListMatchesRequest__Output } from '@husky/contracts/types/live/v1/ListMatchesRequest';
import type { ListMatchesResponse } from '@husky/contracts/types/live/v1/ListMatchesResponse';
import { requireAdmin } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { pageOf } from '../domain/paging.ts';
import { countMatches, type ListedMatch, listMatches as page } from '../store/lists.ts';

const statuses = new Set(['', 'Running', 'Finished', 'Failed']);

export async function listMatches(
  context: Context,
  request: ListMatchesRequest__Output,
  call: Call,
): Promise<ListMatchesResponse> {
  if (!request.publicOnly) requireAdmin(call.caller);
  if (!statuses.has(request.status)) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-status', 'A status is Running, Finished or Failed.');
  }
  if (!['', 'newest', 'oldest'].includes(request.order)) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-order', 'The order is newest or oldest.');
  }
  const filter = {
    publicOnly: request.publicOnly,
    status: request.status,
    oldestFirst: request.order === 'oldest',
  };
  const [matches, totals] = await Promise.all([
    page(context.db, filter, pageOf(request, 1000)),
    countMatches(context.db, filter),
  ]);
  return {
    matches: matches.map(present),
    total: totals.total,
    totalGames: totals.games,
    totalPlayers: totals.players,
  };
}

function present(match: ListedMatch) {
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
  };
}
