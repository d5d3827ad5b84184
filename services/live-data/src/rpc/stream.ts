import type { MatchEvent } from '@husky/contracts/types/live/v1/MatchEvent';
import type { StreamMatchRequest__Output } from '@husky/contracts/types/live/v1/StreamMatchRequest';
import { gameIdOf } from '@husky/match/game-id';
import { DomainError } from '@husky/runtime/errors';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { seatsOf } from '../domain/hand-index.ts';
import { hasEnded, type Match } from '../domain/match.ts';
import { HandRate } from '../domain/rate.ts';
import { handResults, readChunk } from '../domain/record.ts';
import { loadMatch } from '../load-match.ts';
import type { MatchFeed } from '../match-feed.ts';
import type { Attempt } from '../store/attempts.ts';
import { chunksAfter } from '../store/chunks.ts';

/** Streams a match's hands and progress after a position until the match ends. */
export async function* streamMatch(
  context: Context,
  request: StreamMatchRequest__Output,
  call: ReaderCall,
): AsyncGenerator<MatchEvent> {
  const { jobId, afterAttempt, afterHand } = request;
  if (afterAttempt < 0 || afterHand < 0) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-position', 'Attempts and hands count from 0.');
  }
  call.check(await loadMatch(context, jobId));
  const feed = await context.feeds.join(jobId);
  try {
    yield* watchMatch(context, { attempt: afterAttempt, hand: afterHand }, feed, call);
  } finally {
    await feed.leave();
  }
}

const tickMs = 1000;

interface Position {
  readonly attempt: number;
  readonly hand: number;
}

/**
 * Yields the stored events after a position. Works in rounds, which start with a notification or after a second. Each round
 * reads the match and checks access again.
 */
async function* watchMatch(
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
    const current = await feed.current();
    if (current === null) {
      yield { ...at, ended: { status: 'Deleted', handsPlayed: 0, reason: 'The match was deleted.' } };
      return;
    }
    const { match, attempt } = current;
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
    startingStack: match.startingStack,
  };
}

async function* handsBetween(context: Context, match: Match, at: Position, last: number): AsyncGenerator<MatchEvent> {
  if (at.attempt === 0 || at.hand >= last) return;
  for await (const chunk of chunksAfter(context.db, match.jobId, at.attempt, at.hand)) {
    for (const result of handResults(match, readChunk(chunk.bytes))) {
      if (result.hand <= at.hand) continue;
      // These hands were stored after the match was read. The next round yields them; here they would look like a reset.
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
          ...{ pot: result.facts.pot, allIn: result.facts.allIn, showdown: result.facts.showdown },
          outIds: seatsOf(result.facts.out).map((seat) => match.playerIds[seat] as string),
        },
      };
    }
  }
}
