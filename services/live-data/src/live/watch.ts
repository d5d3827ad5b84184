import type { MatchEvent } from '@husky/contracts/types/live/v1/MatchEvent';
import { gameIdOf } from '@husky/match/game-id';
import { DomainError } from '@husky/runtime/errors';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { hasEnded, type Match } from '../domain/match.ts';
import { HandRate } from '../domain/rate.ts';
import { handResults, readChunk } from '../domain/record.ts';
import type { Attempt } from '../store/attempts.ts';
import { chunksAfter } from '../store/chunks.ts';
import type { MatchFeed } from './match-feed.ts';

const tickMs = 1000;

interface Position {
  readonly attempt: number;
  readonly hand: number;
}

/**
 * The events of a match after a position, from storage, until it ends. Each round reads the match again, so access is
 * checked again too; a nudge or the next second begins a round.
 */
export async function* watchMatch(
  context: Context,
  from: Position,
  feed: MatchFeed,
  call: ReaderCall,
): AsyncGenerator<MatchEvent> {
  let at = from;
  let rate: HandRate | undefined;
  let progressAt = Number.NEGATIVE_INFINITY;
  const signal = AbortSignal.any([call.signal, context.stopping]);
  while (!call.signal.aborted) {
    const standing = await feed.standing();
    if (standing === null) {
      yield { ...at, ended: { status: 'Deleted', handsPlayed: 0, reason: 'The match was deleted.' } };
      return;
    }
    const { match, attempt } = standing;
    call.check(match);
    const stored: Position = { attempt: attempt?.attempt ?? 0, hand: attempt?.hands ?? 0 };
    if (at.attempt !== stored.attempt || at.hand > stored.hand) {
      if (at.attempt !== 0 || at.hand !== 0) yield { attempt: stored.attempt, hand: 0, reset: {} };
      at = { attempt: stored.attempt, hand: 0 };
      rate = undefined;
    }
    for await (const event of handsBetween(context, match, at, stored.hand)) {
      at = { attempt: at.attempt, hand: event.hand ?? at.hand };
      yield event;
    }
    if (hasEnded(match)) {
      yield { ...at, ended: { status: match.status, handsPlayed: stored.hand, reason: match.endReason } };
      return;
    }
    const now = context.now();
    if (now - progressAt >= tickMs) {
      progressAt = now;
      rate ??= new HandRate(attempt?.startedAt.getTime() ?? now);
      rate.add(now, stored.hand);
      yield { ...at, progress: progressOf(match, attempt, rate) };
    }
    await feed.next(Math.max(0, progressAt + tickMs - context.now()), signal);
    if (context.stopping.aborted)
      throw new DomainError('UNAVAILABLE', 'stopping', 'The live-data service is stopping.');
  }
}

function progressOf(match: Match, attempt: Attempt | null, rate: HandRate) {
  return {
    handsDone: attempt?.hands ?? 0,
    numRounds: match.numRounds,
    handsPerSecond: rate.handsPerSecond,
    secondsLeft: rate.secondsLeft(match.numRounds),
    status: match.status,
  };
}

async function* handsBetween(context: Context, match: Match, at: Position, last: number): AsyncGenerator<MatchEvent> {
  if (at.attempt === 0 || at.hand >= last) return;
  for await (const chunk of chunksAfter(context.db, match.jobId, at.attempt, at.hand)) {
    for (const result of handResults(match, readChunk(chunk.bytes))) {
      if (result.hand <= at.hand) continue;
      // Stored since the match was read: they come with the next round, or they would look like a reset.
      if (result.hand > last) return;
      yield {
        attempt: at.attempt,
        hand: result.hand,
        handPlayed: {
          gameId: gameIdOf(match.jobId, at.attempt, result.hand),
          playerIds: [...match.playerIds],
          deltas: [...result.deltas],
          cumulative: [...result.cumulative],
          playedAt: new Date(result.startedAtMs).toISOString(),
        },
      };
    }
  }
}
