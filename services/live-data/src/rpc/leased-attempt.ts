import type { DealerCall } from '../access.ts';
import type { Context } from '../context.ts';
import type { Match } from '../domain/match.ts';
import { matchOf } from '../facts.ts';
import { type Attempt, findAttempt } from '../store/attempts.ts';

/** The match of the caller's lease and the attempt that it delivers, while that is theirs. */
export async function leasedAttempt(
  context: Context,
  call: DealerCall,
): Promise<{ readonly match: Match; readonly state: Attempt }> {
  const { jobId, attempt } = call.caller;
  const match = await matchOf(context, jobId);
  return { match, state: call.check(match, await findAttempt(context.db, jobId, attempt)) };
}
