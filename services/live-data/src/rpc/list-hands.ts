import type { ListHandsRequest__Output } from '@husky/contracts/types/live/v1/ListHandsRequest';
import type { ListHandsResponse } from '@husky/contracts/types/live/v1/ListHandsResponse';
import { gameIdOf } from '@husky/match/game-id';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { readableAttempt } from '../domain/match.ts';
import { pageOf } from '../domain/paging.ts';
import { matchOf } from '../facts.ts';
import { findAttempt } from '../store/attempts.ts';

/** Hands are numbered without gaps, so a page of them needs no table. */
export async function listHands(
  context: Context,
  request: ListHandsRequest__Output,
  call: ReaderCall,
): Promise<ListHandsResponse> {
  const match = await matchOf(context, request.jobId);
  call.check(match);
  const attempt = readableAttempt(match);
  const total = (await findAttempt(context.db, match.jobId, attempt))?.hands ?? 0;
  const { skip, take } = request.pageSize === 0 ? { skip: 0, take: total } : pageOf(request, 1000);
  const count = Math.max(0, Math.min(take, total - skip));
  const hands = Array.from({ length: count }, (_, index) => {
    const hand = skip + index + 1;
    return { gameId: gameIdOf(match.jobId, attempt, hand), hand };
  });
  return { hands, total };
}
