import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import type { Match } from '../domain/match.ts';

const pageSize = 20;

/** Comes before the ids of all matches. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/** Returns a function that reads pages of matches in the order of their ids. `read` returns the matches after an id. */
export function pagesById<M extends { readonly jobId: string }>(
  read: (afterJobId: string, limit: number) => Promise<readonly M[]>,
): (limit: number) => Promise<readonly M[]> {
  let after = beforeAllIds;
  return async (limit) => {
    const matches = await read(after, limit);
    after = matches.at(-1)?.jobId ?? after;
    return matches;
  };
}

/** Pauses for `ratio` times the time since `startedAt` (performance.now()), so that matches in play do not wait; at most until the service stops. */
export async function pauseAfter(startedAt: number, ratio: number, stopping: AbortSignal): Promise<void> {
  const pauseMs = ratio * (performance.now() - startedAt);
  if (pauseMs > 0) await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
}

/** Background work over stored matches, or over facts about them. */
export interface MatchWork<M extends { readonly jobId: string } = Match> {
  /** A verb for log messages, such as 'indexing'. */
  readonly name: string;
  /** Returns the next matches to work on; none at the end. */
  readonly next: (limit: number) => Promise<readonly M[]>;
  readonly work: (match: M) => Promise<unknown>;
  /** Number of matches worked on concurrently. */
  readonly concurrency: () => number;
  /** Length of the pause after a match in relation to the time that it took. */
  readonly pauseRatio: () => number;
}

/**
 * Works on all matches in pages, until there are no more or the service stops. Logs and skips a match that fails. Returns the number of
 * matches done.
 */
export async function eachMatch<M extends { readonly jobId: string }>(
  context: Pick<Context, 'log' | 'stopping'>,
  job: MatchWork<M>,
): Promise<number> {
  const { log, stopping } = context;
  let done = 0;
  const workOn = async (match: M): Promise<void> => {
    const startedAt = performance.now();
    try {
      await job.work(match);
      done += 1;
    } catch (error) {
      if (stopping.aborted) return;
      log.warn({ err: error, jobId: match.jobId }, `${job.name} match ${match.jobId}: ${messageOf(error)}`);
    }
    await pauseAfter(startedAt, job.pauseRatio(), stopping);
  };
  while (!stopping.aborted) {
    const matches = await job.next(pageSize);
    if (matches.length === 0) break;
    for (let index = 0; index < matches.length && !stopping.aborted; ) {
      const group = matches.slice(index, index + job.concurrency());
      await Promise.all(group.map(workOn));
      index += group.length;
    }
  }
  return done;
}
