import { type ReactNode, useEffect } from 'react';
import { type PagedList, pageWindow, rangeText } from '../lib/paged-list.ts';
import { Button } from './button.tsx';
import './table.css';
import { EmptyState, QueryState } from './feedback.tsx';
import { Icon } from './icon.tsx';

type PaginationProps = { page: number; totalPages: number; onPage: (page: number) => void; label: string };

/** Shows five page buttons around the current page, and First, Previous, Next and Last. Renders nothing for one page. */
export function Pagination({ page, totalPages, onPage, label }: PaginationProps) {
  if (totalPages <= 1) return null;
  const jumpButton = (to: number, text: ReactNode, name?: string) => (
    <li>
      <Button
        variant="ghost"
        small
        disabled={to < 1 || to > totalPages || to === page}
        onClick={() => onPage(to)}
        {...(name ? { 'aria-label': name, title: name } : {})}
      >
        {text}
      </Button>
    </li>
  );
  return (
    <nav aria-label={label}>
      <ul className="pagination">
        {jumpButton(1, '«', 'First')}
        {jumpButton(page - 1, 'Previous')}
        {pageWindow(page, totalPages).map((entry) => (
          <li key={entry}>
            <Button
              variant="ghost"
              small
              aria-label={`Page ${entry}`}
              {...(entry === page ? { 'aria-current': 'page' as const } : {})}
              onClick={() => onPage(entry)}
            >
              {entry}
            </Button>
          </li>
        ))}
        {jumpButton(page + 1, 'Next')}
        {jumpButton(totalPages, '»', `Last (${totalPages})`)}
      </ul>
    </nav>
  );
}

type RangeProps = {
  /** Plural noun for the rows, such as 'users'. */
  noun: string;
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
};

/** Shows 'a-b of N' and the page buttons below a list. */
export function PageNumbers({ noun, page, pageSize, total, onPage }: RangeProps) {
  return (
    <div className="panel-body stack">
      <p className="muted" role="status">
        {rangeText(page, pageSize, total)} {noun}
      </p>
      <Pagination
        label={`Pages of ${noun}`}
        page={page}
        totalPages={Math.max(1, Math.ceil(total / pageSize))}
        onPage={onPage}
      />
    </div>
  );
}

type PagedRowsProps<Row> = {
  list: PagedList<Row>;
  /** Plural noun for the rows, such as 'users'. */
  noun: string;
  empty: string;
  children: (rows: Row[]) => ReactNode;
};

/** Shows one page of a list that the server pages: the loading, error or empty state, or the rows and page numbers. */
export function PagedRows<Row>({ list, noun, empty, children }: PagedRowsProps<Row>) {
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
