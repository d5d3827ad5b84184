import { setTimeout as wait } from 'node:timers/promises';
import type { HandPlayed } from '@husky/contracts/types/live/v1/HandPlayed';
import type { MatchEvent } from '@husky/contracts/types/live/v1/MatchEvent';
import { gameIdOf } from '@husky/match/game-id';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { ReaderCall } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { seatsOf } from '../domain/hand-index.ts';
import { hasEnded, type Match } from '../domain/match.ts';
import { type HandResult, handResults, readChunk } from '../domain/record.ts';
import { HandRate } from '../domain/series.ts';
import { loadMatch } from '../load-match.ts';
import type { MatchFeed } from '../match-feed.ts';
import type { Attempt } from '../store/attempts.ts';
import { chunksAfter } from '../store/chunks.ts';

/** Streams a match's hands and progress after a position until the match ends. */
export function streamMatch(context: Context): LiveDataHandlers['streamMatch'] {
  return async function* (request, call): AsyncGenerator<MatchEvent> {
    const { jobId, afterAttempt, afterHand, batched } = request;
    if (afterAttempt < 0 || afterHand < 0) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-position', 'Attempts and hands count from 0.');
    }
    call.check(await loadMatch(context, jobId));
    const feed = await context.feeds.join(jobId);
    try {
      yield* watchMatch(context, { attempt: afterAttempt, hand: afterHand }, batched, feed, call);
    } finally {
      await feed.leave();
    }
  };
}

const tickMs = 1000;
/** Rounds are at least this long, so that a fast match is not read for each of its chunks. */
const minRoundMs = 150;

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
  batched: boolean,
  feed: MatchFeed,
  call: ReaderCall,
): AsyncGenerator<MatchEvent> {
  let at = from;
  let rate: HandRate | undefined;
  let progressAt = Number.NEGATIVE_INFINITY;
  const signal = AbortSignal.any([call.signal, context.stopping]);
  while (!call.signal.aborted) {
    const roundAt = context.now();
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
    for await (const event of handsBetween(context, match, at, stored.hand, batched)) {
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
    await pause(roundAt + minRoundMs - context.now(), signal);
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
    stacks: match.stacks,
  };
}

function handPlayed(match: Match, attempt: number, result: HandResult): HandPlayed {
  const { pot, allIn, showdown, out } = result.facts;
  return {
    gameId: gameIdOf(match.jobId, attempt, result.hand),
    playerIds: [...match.playerIds],
    deltas: [...result.deltas],
    cumulative: [...result.cumulative],
    playedAt: new Date(result.startedAtMs).toISOString(),
    pot,
    allIn,
    showdown,
    outIds: seatsOf(out).map((seat) => match.playerIds[seat] as string),
  };
}

async function* handsBetween(
  context: Context,
  match: Match,
  at: Position,
  last: number,
  batched: boolean,
): AsyncGenerator<MatchEvent> {
  if (at.attempt === 0 || at.hand >= last) return;
  const { attempt } = at;
  let reached = at.hand;
  for await (const chunk of chunksAfter(context.db, match.jobId, attempt, at.hand)) {
    // Hands after `last` were stored after the match was read. The next round yields them; here they would look like a reset.
    const results = [...handResults(match, readChunk(chunk.bytes))].filter(
      ({ hand }) => hand > reached && hand <= last,
    );
    const hand = results.at(-1)?.hand;
    if (hand === undefined) return;
    reached = hand;
    const hands = results.map((result) => handPlayed(match, attempt, result));
    if (batched) yield { attempt, hand, handsPlayed: { hands } };
    else
      for (const [index, played] of hands.entries()) {
        yield { attempt, hand: (results[index] as HandResult).hand, handPlayed: played };
      }
  }
}

/** Resolves after `ms` or when `signal` aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined);
}
