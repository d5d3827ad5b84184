import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportedHands } from '@husky/contracts/types/live/v1/ExportedHands';
import { gameJson } from '@husky/match/game-json';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, LiveDataHandlers } from '../context.ts';
import type { Match } from '../domain/match.ts';
import { playedHands, readChunk } from '../domain/record.ts';
import { jobNotFound } from '../domain/refusals.ts';
import { findFinished, loadMatch } from '../load-match.ts';
import { findAttempt } from '../store/attempts.ts';
import { chunksAfter } from '../store/chunks.ts';
import { findMatch } from '../store/matches.ts';

const handsPerMessage = 16;
// Everybody gets the same file, so it has no texts of bots.
const withoutTexts = () => false;

/**
 * Streams all hands of a finished match. Reads the match again before each chunk: throws when it was deleted or when the
 * caller may no longer read it. Lets other calls run between messages.
 */
export function exportMatch(context: Context): LiveDataHandlers['exportMatch'] {
  return async function* (request, call): AsyncGenerator<ExportedHands> {
    const found = await loadMatch(context, request.jobId);
    call.check(found);
    const match = await findFinished(context, found);
    if (match === null) throw notFinished(found);
    const accepted = match.acceptedAttempt;
    const attempt = await findAttempt(context.db, match.jobId, accepted);
    if (attempt === null) throw jobNotFound();
    yield {
      match: {
        jobId: match.jobId,
        batchId: match.batchId ?? '',
        gameNumber: match.gameNumber,
        playerIds: [...match.playerIds],
        attempt: accepted,
        hands: attempt.hands,
        digest: Buffer.from(attempt.digest).toString('hex'),
        startedAt: attempt.startedAt.toISOString(),
      },
    };
    let hands = 0;
    for await (const chunk of chunksAfter(context.db, match.jobId, accepted, 0)) {
      const current = await findMatch(context.db, match.jobId);
      if (current === null) break;
      call.check(current);
      let message: string[] = [];
      for (const hand of playedHands(match, readChunk(chunk.bytes), withoutTexts)) {
        message.push(gameJson(match.jobId, hand));
        hands += 1;
        if (message.length < handsPerMessage) continue;
        yield { gameJson: message };
        message = [];
        await nextTurn();
      }
      if (message.length > 0) yield { gameJson: message };
    }
    if (hands < attempt.hands) {
      throw new DomainError('ABORTED', 'match-deleted', 'The match was deleted while it was downloaded.');
    }
  };
}

function notFinished({ status }: Match): DomainError {
  const message =
    status === 'Failed'
      ? 'This match failed, so it has no result to download.'
      : 'This match is not finished. It can be downloaded when its last hand has been played.';
  return new DomainError('FAILED_PRECONDITION', 'match-not-finished', message);
}
