import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../../lib/api.ts';
import { POLL_OWN_JOBS_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { GameRow, JobStatus, ResultData } from '../../lib/types.ts';
import { type PerformanceData, toSeries } from '../performance/series.ts';
import { useLiveJob } from './live/use-live-job.ts';

type JobAnswer = {
  job_id: string;
  job_status: JobStatus;
  result_data?: ResultData | null;
  error?: string | null;
  ended_early?: string | null;
};

const isOpen = (status: string | undefined) => status === 'Pending' || status === 'Running';

/** The label of the batch that a job's hands belong to; the first hand's answer stands for all. */
function useBatchLabel(gameId: string | undefined): string {
  const order = useQuery({
    queryKey: ['live', 'batch-order', gameId ?? ''],
    queryFn: ({ signal }) =>
      api.get<{ batch_order: number | null }>(`/llm/game-log/${encodeURIComponent(gameId ?? '')}/batch-order`, {
        signal,
      }),
    enabled: gameId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const number = order.data?.batch_order ?? null;
  return number === null ? 'No Batch Info' : `Batch ${number}`;
}

/** All that the page of a match shows: from the stream while it runs, from the stored match otherwise. */
export function useJob(jobId: string) {
  const client = useQueryClient();
  const path = `/live/job/${encodeURIComponent(jobId)}`;
  const status = useQuery({
    queryKey: queryKeys.job(jobId),
    queryFn: ({ signal }) => api.get<JobAnswer>(`/sim/status/${encodeURIComponent(jobId)}`, { signal }),
    refetchInterval: ({ state }) => (isOpen(state.data?.job_status) ? POLL_OWN_JOBS_MS : false),
  });
  const open = isOpen(status.data?.job_status);
  const live = useLiveJob(jobId, open);
  const ended = live.job.ended;
  const games = useQuery({
    queryKey: queryKeys.jobGames(jobId),
    queryFn: ({ signal }) => api.get<{ games: GameRow[] }>(`${path}/games`, { signal }),
  });
  const performance = useQuery({
    queryKey: queryKeys.jobPerformance(jobId),
    queryFn: ({ signal }) => api.get<PerformanceData>(`${path}/user-performance`, { signal }),
  });

  useEffect(() => {
    // The stored match is the truth once the stream says that it has ended.
    if (ended !== null) void client.invalidateQueries({ queryKey: queryKeys.job(jobId) });
  }, [ended, client, jobId]);

  const streaming = open && live.job.attempt !== null;
  const stored = useMemo(
    () => (performance.data === undefined ? null : toSeries(performance.data)),
    [performance.data],
  );
  const streamed = useMemo(
    () => toSeries(Object.fromEntries([...live.job.series].map(([name, values]) => [name, [...values]]))),
    [live.job.series],
  );
  const hands = streaming ? live.job.hands : (games.data?.games ?? []);
  return {
    status: status.data,
    open,
    live,
    games,
    performance,
    hands,
    series: streaming ? streamed : stored,
    batchLabel: useBatchLabel(hands[0]?.game_id),
  };
}
