import type { GetHandRequest__Output } from '@husky/contracts/types/live/v1/GetHandRequest';
import type { Hand } from '@husky/contracts/types/live/v1/Hand';
import { parseGameId } from '@husky/match/game-id';
import { mayReadVoided, type ReaderCall, readsTextOf } from '../access.ts';
import type { Context } from '../context.ts';
import { gameJson } from '../domain/game-json.ts';
import { readableAttempt } from '../domain/match.ts';
import { playedHand, readChunk } from '../domain/record.ts';
import { gameNotFound } from '../domain/refusals.ts';
import { matchOf } from '../facts.ts';
import { chunkWith } from '../store/chunks.ts';

export async function getHand(context: Context, request: GetHandRequest__Output, call: ReaderCall): Promise<Hand> {
  const parsed = parseGameId(request.gameId);
  if (parsed === null) throw gameNotFound();
  const { jobId, attempt, hand } = parsed;
  const match = await matchOf(context, jobId, gameNotFound);
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
    gameJson: gameJson(jobId, playedHand(match, readChunk(chunk.bytes), hand, readsTextOf(call.caller, match))),
    batchId: match.batchId ?? '',
    gameNumber: match.gameNumber,
  };
}
