import type { GetHandRequest__Output } from '@husky/contracts/types/live/v1/GetHandRequest';
import type { Hand } from '@husky/contracts/types/live/v1/Hand';
import { parseGameId } from '@husky/match/game-id';
import { isAdmin } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { gameNotFound, requireReadable } from '../domain/access.ts';
import { gameJson } from '../domain/game-json.ts';
import { readableAttempt } from '../domain/match.ts';
import { playedHand, readChunk } from '../domain/record.ts';
import { matchOf } from '../facts.ts';
import { chunkWith } from '../store/chunks.ts';
import { countBatch } from '../store/lists.ts';

export async function getHand(context: Context, request: GetHandRequest__Output, call: Call): Promise<Hand> {
  const parsed = parseGameId(request.gameId);
  if (parsed === null) throw gameNotFound();
  const { jobId, attempt, hand } = parsed;
  const match = await matchOf(context, jobId, gameNotFound);
  requireReadable(match, call.caller);
  if (hand > match.numRounds) throw gameNotFound();
  // A voided attempt's hands stay for audit, which is the admins'.
  if (attempt !== readableAttempt(match) && !isAdmin(call.caller)) throw gameNotFound();
  const chunk = await chunkWith(context.db, jobId, attempt, hand);
  if (chunk === null) throw gameNotFound();
  return {
    gameId: request.gameId.toLowerCase(),
    jobId,
    hand,
    playerIds: [...match.playerIds],
    gameJson: gameJson(jobId, playedHand(match, readChunk(chunk.bytes), hand)),
    batchId: match.batchId ?? '',
    gameNumber: match.gameNumber,
    totalBatches: match.batchId === null ? 0 : await countBatch(context.db, match.batchId),
  };
}
