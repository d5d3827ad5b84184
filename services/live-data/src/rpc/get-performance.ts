import type { MatchIdRequest__Output } from '@husky/contracts/types/live/v1/MatchIdRequest';
import type { Performance } from '@husky/contracts/types/live/v1/Performance';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { type Match, readableAttempt } from '../domain/match.ts';
import { handResults, readChunk } from '../domain/record.ts';
import { unpackSeries } from '../domain/series.ts';
import { matchOf } from '../facts.ts';
import { chunksAfter, findSeries } from '../store/chunks.ts';

export async function getPerformance(
  context: Context,
  request: MatchIdRequest__Output,
  call: ReaderCall,
): Promise<Performance> {
  const match = await matchOf(context, request.jobId);
  call.check(match);
  const bySeat = await seriesOf(context, match);
  return { series: match.playerIds.map((userId, seat) => ({ userId, cumulative: bySeat[seat] ?? [] })) };
}

/** The stored series of a match that was accepted; of any other the hands stored so far. */
async function seriesOf(context: Context, match: Match): Promise<number[][]> {
  const attempt = readableAttempt(match);
  const stored = match.acceptedAttempt === null ? null : await findSeries(context.db, match.jobId, attempt);
  if (stored !== null) return unpackSeries(stored);
  const bySeat: number[][] = match.playerIds.map(() => []);
  for await (const chunk of chunksAfter(context.db, match.jobId, attempt, 0)) {
    for (const { cumulative } of handResults(match, readChunk(chunk.bytes))) {
      for (const [seat, value] of cumulative.entries()) bySeat[seat]?.push(value);
    }
  }
  return bySeat;
}
