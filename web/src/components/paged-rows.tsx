import { type ReactNode, useEffect } from 'react';
import { messageOf } from '../lib/api-error.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorBox } from './error-box.tsx';
import { PageNumbers } from './pagination.tsx';
import { Loading } from './spinner.tsx';

type ListQuery<Row> = {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  data: { items: Row[]; total: number } | undefined;
  refetch: () => unknown;
};

type Props<Row> = {
  query: ListQuery<Row>;
  /** Plural noun for the rows, such as 'users'. */
  noun: string;
  empty: string;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  children: (rows: Row[]) => ReactNode;
};

/** Shows one page of a list that the server pages: the loading, error or empty state, or the rows and page numbers. */
export function PagedRows<Row>({ query, noun, empty, page, pageSize, onPage, children }: Props<Row>) {
  const { data } = query;
  const totalPages = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize));
  const beyond = data !== undefined && page > totalPages;
  useEffect(() => {
    // The last row of the last page was deleted.
    if (beyond) onPage(totalPages);
  }, [beyond, totalPages, onPage]);

  return (
    <>
      {query.isPending && <Loading inline />}
      {query.isError && (
        <div className="panel-body">
          <ErrorBox text={`Failed to load ${noun}. ${messageOf(query.error)}`} onRetry={() => void query.refetch()} />
        </div>
      )}
      {data?.items.length === 0 && !beyond && <EmptyState title={empty} />}
      {data && data.items.length > 0 && (
        <>
          {children(data.items)}
          <PageNumbers noun={noun} page={page} pageSize={pageSize} total={data.total} onPage={onPage} />
        </>
      )}
    </>
  );
}
