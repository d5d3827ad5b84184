import { gameIdOf } from '@husky/match/game-id';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type ResponseOf } from '../lib/api.ts';
import { isApiError } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { type LiveJob, NO_LIVE_JOB } from './live-merge.ts';
import type { LiveView } from './use-live-job.ts';

type Columns = ResponseOf<'get', '/live/job/{id}/hands/columns'>;
type Series = ResponseOf<'get', '/live/job/{id}/user-performance'>;

const RETRY_MS = 5_000;
const options = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  // Until the server is back.
  refetchInterval: ({ state: { error } }: { state: { error: Error | null } }) =>
    error !== null && !isApiError(error, 403, 404) && RETRY_MS,
} as const;

/** Returns a stored match as its stream would have told it. */
export function storedJob(columns: Columns, performance: Series): LiveJob {
  const { job_id: jobId, players, pots, flags, attempt, starting_stack: startingStack, stacks } = columns;
  const series = new Map(players.map((name) => [name, performance[name] ?? []]));
  const resetsStacks = stacks === 'reset';
  const broke = (name: string, hand: number) =>
    !resetsStacks && hand > 0 && startingStack + (series.get(name)?.[hand - 1] ?? 0) <= 0;
  return {
    ...NO_LIVE_JOB,
    attempt,
    series,
    ended: 'Finished',
    hands: pots.map((pot, index) => ({
      game_id: gameIdOf(jobId, attempt, index + 1),
      game_uuid: String(index + 1),
      pot,
      showdown: ((flags[index] ?? 0) & 4) !== 0,
      allIn: ((flags[index] ?? 0) & 8) !== 0,
      out: players.filter((name) => broke(name, index + 1) && !broke(name, index)),
    })),
    progress: {
      handsDone: pots.length,
      numRounds: pots.length,
      handsPerSecond: null,
      secondsLeft: null,
      status: 'Finished',
      startingStack,
      resetsStacks,
      watchers: null,
    },
  };
}

/** Loads what the director needs of a match that has ended, and its swings. Not loaded while `enabled` is false. */
export function useStoredJob(jobId: string, enabled: boolean): { view: LiveView; swings: ReadonlyMap<number, number> } {
  const params = { id: jobId };
  const columns = useQuery({
    queryKey: [...queryKeys.job(jobId), 'broadcast'],
    queryFn: ({ signal }) => api.get('/live/job/{id}/hands/columns', { params, signal }),
    enabled,
    ...options,
  });
  const performance = useQuery({
    queryKey: queryKeys.jobPerformance(jobId),
    queryFn: ({ signal }) => api.get('/live/job/{id}/user-performance', { params, signal }),
    enabled,
    ...options,
  });
  const highlights = useHighlights(jobId, enabled);
  const view = useMemo((): LiveView => {
    if (columns.data !== undefined && performance.data !== undefined)
      return { job: storedJob(columns.data, performance.data), state: 'ended', refusal: null };
    const error = performance.error ?? columns.error;
    const refused = [performance.error, columns.error].find((one) => isApiError(one, 403, 404));
    const refusal = isApiError(refused) ? refused.status : null;
    return { job: NO_LIVE_JOB, state: error ? 'retrying' : 'connecting', refusal };
  }, [columns.data, columns.error, performance.data, performance.error]);
  const swings = useMemo(
    () => new Map(highlights.data?.highlights.map(({ hand_number: hand, swing, pot }) => [hand, swing * pot])),
    [highlights.data],
  );
  return { view, swings };
}

/** Loads the hands of a finished match with the largest swings of equity times pot. */
export function useHighlights(jobId: string, enabled: boolean) {
  return useQuery({
    queryKey: [...queryKeys.job(jobId), 'highlights'],
    queryFn: ({ signal }) => api.get('/live/job/{id}/highlights', { params: { id: jobId }, signal }),
    enabled,
    ...options,
  });
}
