import type { Hand } from '@husky/contracts/types/live/v1/Hand';
import type { ListHandsResponse } from '@husky/contracts/types/live/v1/ListHandsResponse';
import type { Performance } from '@husky/contracts/types/live/v1/Performance';
import { gameIdOf, parseGameId } from '@husky/match/game-id';
import { gameJson } from '@husky/match/game-json';
import { pageOf } from '@husky/runtime/rpc/page';
import { botTextReader, mayReadVoided } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { type Match, readableAttempt } from '../domain/match.ts';
import { playedHand, readChunk } from '../domain/record.ts';
import { gameNotFound } from '../domain/refusals.ts';
import { unpackSeries } from '../domain/series.ts';
import { loadMatch } from '../load-match.ts';
import { readHands } from '../read-hands.ts';
import { findAttempt } from '../store/attempts.ts';
import { chunkWith, findSeries } from '../store/chunks.ts';

/** Lists the readable hands. Computes a page without reading rows, because hands are numbered without gaps. */
export function listHands(context: Context): LiveDataHandlers['listHands'] {
  return async (request, call): Promise<ListHandsResponse> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const attempt = readableAttempt(match);
    const total = (await findAttempt(context.db, match.jobId, attempt))?.hands ?? 0;
    const { skip, take } = request.pageSize === 0 ? { skip: 0, take: total } : pageOf(request);
    const count = Math.max(0, Math.min(take, total - skip));
    const hands = Array.from({ length: count }, (_, index) => {
      const hand = skip + index + 1;
      return { gameId: gameIdOf(match.jobId, attempt, hand), hand };
    });
    return { hands, total };
  };
}

/** Returns the replay of a hand. Admins may also read hands of voided attempts. */
export function getHand(context: Context): LiveDataHandlers['getHand'] {
  return async (request, call): Promise<Hand> => {
    const parsed = parseGameId(request.gameId);
    if (parsed === null) throw gameNotFound();
    const { jobId, attempt, hand } = parsed;
    const match = await loadMatch(context, jobId, gameNotFound);
    call.check(match);
    if (hand > match.numRounds) throw gameNotFound();
    if (attempt !== readableAttempt(match) && !mayReadVoided(call.caller)) throw gameNotFound();
    const chunk = await chunkWith(context.db, jobId, attempt, hand);
    if (chunk === null) throw gameNotFound();
    return {
      gameId: request.gameId.toLowerCase(),
      jobId,
      hand,
      playerIds: [...match.playerIds],
      gameJson: gameJson(jobId, playedHand(match, readChunk(chunk.bytes), hand, botTextReader(call.caller, match))),
      batchId: match.batchId ?? '',
      gameNumber: match.gameNumber,
    };
  };
}

/** Returns every player's cumulative result after each hand. */
export function getPerformance(context: Context): LiveDataHandlers['getPerformance'] {
  return async (request, call): Promise<Performance> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const bySeat = await loadSeries(context, match);
    return { series: match.playerIds.map((userId, seat) => ({ userId, cumulative: [...(bySeat[seat] ?? [])] })) };
  };
}

/** Returns the stored series of an accepted attempt; otherwise computes it from the stored hands. */
async function loadSeries(context: Context, match: Match): Promise<readonly (readonly number[])[]> {
  const attempt = readableAttempt(match);
  const stored = match.acceptedAttempt === null ? null : await findSeries(context.db, match.jobId, attempt);
  if (stored !== null) return unpackSeries(stored);
  return (await readHands(context.db, match)).series;
}
