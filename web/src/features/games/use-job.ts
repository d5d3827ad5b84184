import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useLiveJob } from '../../broadcast/use-live-job.ts';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import { toSeries } from '../../performance/series.ts';

const POLL_PENDING_MS = 3_000;

const isOpen = (status: string | undefined) => status === 'Pending' || status === 'Running';

/** Loads the label of a job's batch, by its first hand. `known`: the status names the batch, or null if there is none. */
function useBatchLabel(gameId: string | undefined, known: number | null | undefined): string {
  const order = useQuery({
    queryKey: ['live', 'batch-order', gameId ?? ''],
    queryFn: ({ signal }) =>
      api.get('/llm/game-log/{game_id}/batch-order', { params: { game_id: gameId ?? '' }, signal }),
    enabled: gameId !== undefined && known !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const number = order.data?.batch_order ?? null;
  return number === null ? 'No Batch Info' : `Batch ${number}`;
}

/** Loads everything the page of a match shows: from the stream while it runs, else from the stored match. */
export function useJob(jobId: string) {
  const client = useQueryClient();
  const ended = useRef(false);
  const status = useQuery({
    queryKey: queryKeys.job(jobId),
    queryFn: ({ signal }) => api.get('/sim/status/{id}', { params: { id: jobId }, signal }),
    refetchInterval: ({ state }) => {
      const now = state.data?.job_status;
      if (!isOpen(now)) return false;
      return now === 'Pending' || ended.current ? POLL_PENDING_MS : POLL_OWN_JOBS_MS;
    },
  });
  const jobStatus = status.data?.job_status;
  const open = isOpen(jobStatus);
  const live = useLiveJob(jobId, open && jobStatus !== undefined ? jobStatus : null);
  const over = live.job.ended !== null;
  ended.current = over;
  const games = useQuery({
    queryKey: queryKeys.jobGames(jobId),
    queryFn: ({ signal }) => api.get('/live/job/{id}/games', { params: { id: jobId }, signal }),
  });
  const performance = useQuery({
    queryKey: queryKeys.jobPerformance(jobId),
    queryFn: ({ signal }) => api.get('/live/job/{id}/user-performance', { params: { id: jobId }, signal }),
  });

  useEffect(() => {
    // The stored match is authoritative after the end of the stream.
    if (over) void client.invalidateQueries({ queryKey: queryKeys.job(jobId) });
  }, [over, client, jobId]);

  const seats = status.data?.players;
  const stored = useMemo(
    () => (performance.data === undefined ? null : toSeries(performance.data, seats)),
    [performance.data, seats],
  );
  const streamed = useMemo(
    () => toSeries(Object.fromEntries([...live.job.series].map(([name, values]) => [name, [...values]])), seats),
    [live.job.series, seats],
  );
  const storedHands = games.data?.games ?? [];
  // Streamed hands are shown until the stored match has as many.
  const streaming = live.job.attempt !== null && (open || live.job.hands.length > storedHands.length);
  // A match is not stored before its first hand.
  const notStored = open && isApiError(performance.error, 404);
  const hands = streaming ? live.job.hands : storedHands;
  return {
    status: status.data,
    ready: !status.isPending,
    open,
    live,
    games,
    performance,
    performanceError: streaming || notStored ? null : performance.error,
    hands,
    streaming,
    series: streaming ? streamed : (stored ?? (notStored ? [] : null)),
    batchLabel: useBatchLabel(hands[0]?.game_id, status.data?.batch_number),
  };
}
