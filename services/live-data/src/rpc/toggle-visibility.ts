import type { MatchAccess } from '@husky/contracts/types/live/v1/MatchAccess';
import type { ToggleVisibilityRequest__Output } from '@husky/contracts/types/live/v1/ToggleVisibilityRequest';
import type { AdminCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { jobNotFound } from '../domain/refusals.ts';
import { matchOf } from '../facts.ts';
import { nudgeWatchers } from '../live/match-feed.ts';
import { toggleVisibility as toggle } from '../store/matches.ts';
import { presentAccess } from './get-match-access.ts';

export async function toggleVisibility(
  context: Context,
  request: ToggleVisibilityRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<MatchAccess> {
  const { jobId } = await matchOf(context, request.jobId);
  const match = await toggle(context.db, jobId, request.public ?? undefined, admin);
  if (match === null) throw jobNotFound();
  context.relay.kick();
  context.log.info({ jobId, userId: admin.id }, `match ${jobId} is ${match.isPublic ? 'public' : 'private'} now`);
  nudgeWatchers(context.messaging, jobId);
  return presentAccess(context, match);
}
