import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

type Rows<Row> = { items: Row[]; total: number };

/** One page of a list that the server pages. */
export type PagedList<Row> = {
  query: {
    isPending: boolean;
    isFetching: boolean;
    isError: boolean;
    error: unknown;
    data: Rows<Row> | undefined;
    refetch: () => unknown;
  };
  page: number;
  pageSize: number;
  setPage: (page: number) => void;
};

type Options<Row> = {
  /** Key of the list; the number of the page is appended. */
  queryKey: readonly unknown[];
  /** Rows of a page; default: 25. */
  pageSize?: number;
  fetch: (paging: { page: number; page_size: number }, signal: AbortSignal) => Promise<Rows<Row>>;
  /** Milliseconds between two requests; absent: the list is not polled. */
  refetchInterval?: number;
  /** The page of `usePagedSearch`, for a list with filters. */
  search?: Pick<PagedList<Row>, 'page' | 'setPage'>;
};

/** Queries one page of a list that the server pages. The previous page is shown until the next one is there. */
export function usePagedList<Row>(options: Options<Row>): PagedList<Row> {
  const { queryKey, pageSize = 25, fetch, search, ...polling } = options;
  const [ownPage, setOwnPage] = useState(1);
  const { page, setPage } = search ?? { page: ownPage, setPage: setOwnPage };
  const query = useQuery({
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => fetch({ page, page_size: pageSize }, signal),
    placeholderData: keepPreviousData,
    ...polling,
  });
  return { query, page, pageSize, setPage };
}

/** Returns the value debounced by `delayMs`. */
function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

const SEARCH_DELAY_MS = 300;

type Filters = Record<string, string>;

/** Keeps the state of a filtered list: the filters, the debounced and trimmed query, and the page, which a filter resets to 1. */
export function usePagedSearch<F extends Filters>(empty: F) {
  const [filters, setFilters] = useState(empty);
  const [page, setPage] = useState(1);
  const settled = useDebounced(filters, SEARCH_DELAY_MS);
  const query = Object.fromEntries(Object.entries(settled).map(([name, text]) => [name, text.trim()])) as F;
  const change = (part: Partial<F>) => {
    setFilters({ ...filters, ...part });
    setPage(1);
  };
  return { filters, query, change, page, setPage };
}

const WINDOW = 5;

/** Returns the numbers of the page buttons: five around the current one. Pages count from 1. */
export function pageWindow(page: number, totalPages: number, size = WINDOW): number[] {
  if (totalPages < 1) return [];
  const current = Math.min(Math.max(1, page), totalPages);
  const start = Math.max(1, Math.min(current - Math.floor(size / 2), totalPages - size + 1));
  const end = Math.min(totalPages, start + size - 1);
  return Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

/** Returns 'a-b of N' for a page of a list; '0-0 of 0' if it is empty. */
export function rangeText(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0-0 of 0';
  const first = (page - 1) * pageSize + 1;
  return `${first}-${Math.min(total, page * pageSize)} of ${total}`;
}
