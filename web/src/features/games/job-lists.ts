import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../components/toasts.tsx';
import { parseTime } from '../../lib/format.ts';
import { isLive } from '../../lib/matches.ts';
import { POLL_ADMIN_MS } from '../../lib/query-keys.ts';
import type { JobPage, PublicJob } from '../../lib/types.ts';

export type DateOrder = 'newest' | 'oldest' | 'none';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEXT: Record<DateOrder, DateOrder> = { newest: 'oldest', oldest: 'none', none: 'newest' };

export const DATE_ORDER_LABELS: Record<DateOrder, string> = {
  newest: 'NEWEST FIRST',
  oldest: 'OLDEST FIRST',
  none: 'SORT BY DATE',
};

/** Totals of the published benchmark of 2025. Constants, not counts of this platform. */
export const BENCHMARK_2025 = { games: 6_336, players: 13 };

export const nextDateOrder = (order: DateOrder): DateOrder => NEXT[order];

/** Returns the query parameter of the order. The server sorts all pages; 'none' is its default order. */
export const orderQuery = (order: DateOrder) => ({ order: order === 'none' ? undefined : order });

/** Returns the jobs of all loaded pages without duplicates: a job may have moved to the next page meanwhile. */
export function joinPages<Job extends PublicJob>(pages: readonly { readonly jobs: readonly Job[] }[]): Job[] {
  const jobs = new Map<string, Job>();
  for (const page of pages) for (const job of page.jobs) if (!jobs.has(job.job_id)) jobs.set(job.job_id, job);
  return [...jobs.values()];
}

/** Counts the jobs started within the last 24 hours. */
export function recentJobs(jobs: readonly PublicJob[], now: number): number {
  return jobs.filter((job) => {
    const started = parseTime(job.first_game_created_at);
    return started !== null && now - started < DAY_MS && started <= now;
  }).length;
}

export function distinctPlayers(jobs: readonly PublicJob[]): number {
  return new Set(jobs.flatMap((job) => job.players)).size;
}

const PAGE_SIZE = 100;

export const LOAD_FAILED = 'Failed to load games. Please try again later.';
export const MORE_FAILED = 'Failed to load more games. Please try again later.';

/** Loads jobs in pages of 100, the next one on request. Polls every 15 s while a match runs. */
export function useJobPages<Page extends JobPage>(
  queryKey: QueryKey,
  load: (query: { page: number; page_size: number }, signal: AbortSignal) => Promise<Page>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ page: pageParam, page_size: PAGE_SIZE }, signal),
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    getNextPageParam: (last: Page) => (last.has_next ? last.page + 1 : undefined),
    refetchInterval: ({ state }) => (joinPages(state.data?.pages ?? []).some(isLive) ? POLL_ADMIN_MS : false),
  });

  const failedMore = query.isFetchNextPageError;
  const reported = useRef(false);
  useEffect(() => {
    if (failedMore && !reported.current) toast.error(MORE_FAILED);
    reported.current = failedMore;
  }, [failedMore]);

  return query;
}
