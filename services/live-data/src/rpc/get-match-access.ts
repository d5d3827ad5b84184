import type { MatchAccess } from '@husky/contracts/types/live/v1/MatchAccess';
import type { MatchIdRequest__Output } from '@husky/contracts/types/live/v1/MatchIdRequest';
import type { Call } from '@husky/runtime/grpc-server';
import { mayRead } from '../access.ts';
import type { Context } from '../context.ts';
import { type Match, readableAttempt } from '../domain/match.ts';
import { matchOf } from '../facts.ts';
import { findAttempt } from '../store/attempts.ts';

/** Says whether the caller may read a match; the rest is told to those who may only. */
export async function getMatchAccess(
  context: Context,
  request: MatchIdRequest__Output,
  call: Call,
): Promise<MatchAccess> {
  const match = await matchOf(context, request.jobId);
  if (!mayRead(call.caller, match)) return { jobId: match.jobId, isPublic: false, canRead: false };
  return presentAccess(context, match);
}

export async function presentAccess(context: Context, match: Match): Promise<MatchAccess> {
  const attempt = await findAttempt(context.db, match.jobId, readableAttempt(match));
  return {
    jobId: match.jobId,
    isPublic: match.isPublic,
    hands: attempt?.hands ?? 0,
    batchId: match.batchId ?? '',
    gameNumber: match.gameNumber,
    canRead: true,
  };
}
