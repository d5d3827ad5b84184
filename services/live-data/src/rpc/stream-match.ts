import type { MatchEvent } from '@husky/contracts/types/live/v1/MatchEvent';
import type { StreamMatchRequest__Output } from '@husky/contracts/types/live/v1/StreamMatchRequest';
import { DomainError } from '@husky/runtime/errors';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { matchOf } from '../facts.ts';
import { watchMatch } from '../live/watch.ts';

export async function* streamMatch(
  context: Context,
  request: StreamMatchRequest__Output,
  call: ReaderCall,
): AsyncGenerator<MatchEvent> {
  const { jobId, afterAttempt, afterHand } = request;
  if (afterAttempt < 0 || afterHand < 0) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-position', 'Attempts and hands count from 0.');
  }
  call.check(await matchOf(context, jobId));
  const feed = await context.feeds.join(jobId);
  try {
    yield* watchMatch(context, { attempt: afterAttempt, hand: afterHand }, feed, call);
  } finally {
    await feed.leave();
  }
}
