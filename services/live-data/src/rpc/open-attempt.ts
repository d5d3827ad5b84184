import type { OpenAttemptRequest__Output } from '@husky/contracts/types/live/v1/OpenAttemptRequest';
import type { OpenAttemptResponse } from '@husky/contracts/types/live/v1/OpenAttemptResponse';
import type { LeaseCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { startState } from '../domain/record.ts';
import { matchOf } from '../facts.ts';
import { nudgeWatchers } from '../live/match-feed.ts';
import { openAttempt as store } from '../store/attempts.ts';

const dayMs = 24 * 3600 * 1000;

export async function openAttempt(
  context: Context,
  request: OpenAttemptRequest__Output,
  { caller: { jobId, attempt } }: Call<LeaseCaller>,
): Promise<OpenAttemptResponse> {
  const match = await matchOf(context, jobId);
  const now = context.now();
  // The runner's clock is believed within a day.
  const startedAt = new Date(Math.abs(request.startedAtMs - now) < dayMs ? request.startedAtMs : now);
  const { opened } = await store(context.db, jobId, attempt, startedAt, startState(match, attempt));
  if (opened) {
    context.log.info({ jobId, attempt }, `attempt ${attempt} of match ${jobId} is open`);
    nudgeWatchers(context.messaging, jobId);
  }
  return {};
}
