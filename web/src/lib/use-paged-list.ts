import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

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
