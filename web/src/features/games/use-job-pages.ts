import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../components/toast-store.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import type { JobPage } from '../../lib/types.ts';
import { isLive, joinPages } from './job-lists.ts';

const PAGE_SIZE = 100;

export const LOAD_FAILED = 'Failed to load games. Please try again later.';
export const MORE_FAILED = 'Failed to load more games. Please try again later.';

/** Pages of jobs, 100 each, one more at a time. Looked at again every 15 s while a match runs. */
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
  const told = useRef(false);
  useEffect(() => {
    if (failedMore && !told.current) toast.error(MORE_FAILED);
    told.current = failedMore;
  }, [failedMore]);

  return query;
}
