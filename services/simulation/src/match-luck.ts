import type { MatchLuck__Output } from '@husky/contracts/types/live/v1/MatchLuck';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from './context.ts';

/** Returns the results of a match without luck; null while they are not known. */
export async function luckOf({ liveData }: Context, jobId: string): Promise<MatchLuck__Output | null> {
  try {
    const luck = await liveData.getMatchLuck({ jobId });
    return luck.ready ? luck : null;
  } catch (error) {
    if (error instanceof DomainError && ['NOT_FOUND', 'FAILED_PRECONDITION'].includes(error.code)) return null;
    throw error;
  }
}
