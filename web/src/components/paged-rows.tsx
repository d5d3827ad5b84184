import { type ReactNode, useEffect } from 'react';
import type { PagedList } from '../lib/use-paged-list.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { QueryState } from './error-box.tsx';
import { Icon } from './icon.tsx';
import { PageNumbers } from './pagination.tsx';

type Props<Row> = {
  list: PagedList<Row>;
  /** Plural noun for the rows, such as 'users'. */
  noun: string;
  empty: string;
  children: (rows: Row[]) => ReactNode;
};

/** Shows one page of a list that the server pages: the loading, error or empty state, or the rows and page numbers. */
export function PagedRows<Row>({ list, noun, empty, children }: Props<Row>) {
  const { query, page, pageSize, setPage } = list;
  const { data } = query;
  const totalPages = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize));
  const beyond = data !== undefined && page > totalPages;
  useEffect(() => {
    // The last row of the last page was deleted.
    if (beyond) setPage(totalPages);
  }, [beyond, totalPages, setPage]);

  return (
    <>
      <QueryState what={noun} query={query} padded />
      {data?.items.length === 0 && !beyond && <EmptyState title={empty} />}
      {data && data.items.length > 0 && (
        <>
          {children(data.items)}
          <PageNumbers noun={noun} page={page} pageSize={pageSize} total={data.total} onPage={setPage} />
        </>
      )}
    </>
  );
}

/** Loads the page of a list again. */
export function RefreshButton({ list, label = 'Refresh' }: { list: PagedList<unknown>; label?: string }) {
  return (
    <Button variant="secondary" small disabled={list.query.isFetching} onClick={() => void list.query.refetch()}>
      <Icon name="refresh" />
      {label}
    </Button>
  );
}
