import type { CompareChunkResponse } from '@husky/contracts/types/live/v1/CompareChunkResponse';
import { actsOfRecord, playDifference } from '@husky/match/play-difference';
import type { Context, LiveDataHandlers } from '../context.ts';
import { readChunk, readDelivered } from '../domain/record.ts';
import { loadMatch } from '../load-match.ts';
import { chunksAfter } from '../store/chunks.ts';
import { checkChunkSize, refuseRangeErrors } from './deliver-chunk.ts';

/** Compares hands of a repeated match with those of its accepted attempt, act by act. */
export function compareChunk(context: Context): LiveDataHandlers['compareChunk'] {
  return async ({ chunk }, call): Promise<CompareChunkResponse> => {
    const { jobId, attempt } = call.caller;
    const match = await loadMatch(context, jobId);
    call.check(match);
    checkChunkSize(chunk);
    const repeated = refuseRangeErrors(() => readDelivered(chunk));
    const last = repeated.firstHand + repeated.hands.length - 1;
    const recorded = new Map<number, ReturnType<typeof readChunk>['hands'][number]>();
    for await (const { bytes } of chunksAfter(context.db, jobId, attempt, repeated.firstHand - 1)) {
      const { firstHand, hands } = readChunk(bytes);
      for (const [index, record] of hands.entries()) recorded.set(firstHand + index, record);
      if (firstHand + hands.length > last) break;
    }
    for (const [index, record] of repeated.hands.entries()) {
      const hand = repeated.firstHand + index;
      const own = recorded.get(hand);
      const difference = playDifference(hand, own ? actsOfRecord(own) : null, actsOfRecord(record));
      if (difference !== null)
        return { hand, act: difference.act ?? 0, byLimit: difference.byLimit, hands: match.hands };
    }
    return { hand: 0, hands: match.hands };
  };
}
