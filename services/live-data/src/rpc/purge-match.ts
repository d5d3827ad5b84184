import type { MatchIdRequest__Output } from '@husky/contracts/types/live/v1/MatchIdRequest';
import type { PurgeMatchResponse } from '@husky/contracts/types/live/v1/PurgeMatchResponse';
import type { Context } from '../context.ts';
import { isUuid } from '../domain/match.ts';
import { nudgeWatchers } from '../live/match-feed.ts';
import { purgeMatch as purge } from '../store/matches.ts';

/** Purging what is not there is done already. */
export async function purgeMatch(context: Context, request: MatchIdRequest__Output): Promise<PurgeMatchResponse> {
  const hands = isUuid(request.jobId) ? await purge(context.db, request.jobId) : null;
  if (hands === null) return { hands: 0 };
  context.log.info({ jobId: request.jobId }, `match ${request.jobId} was purged`);
  nudgeWatchers(context.messaging, request.jobId);
  return { hands };
}
