// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import type { PagedList } from '../lib/paged-list.ts';
import { PagedRows, Pagination } from './pagination.tsx';
import { type Column, Table } from './table.tsx';

afterEach(cleanup);

type User = { name: string; hands: number };
const users: User[] = [
  { name: 'ann', hands: 12 },
  { name: 'ben', hands: 7 },
];
const columns: Column<User>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Hands', cell: ({ hands }) => hands, align: 'end', sort: 'descending' },
];
const table = (rows: User[]) => <Table caption="Users" columns={columns} rows={rows} rowKey={({ name }) => name} />;
const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

describe('a table', () => {
  it('has a name, column headers with their sort order, and a header for each row', () => {
    render(table(users));
    const found = within(screen.getByRole('table', { name: 'Users' }));
    expect(texts(found.getAllByRole('columnheader'))).toEqual(['Name', 'Hands']);
    expect(found.getByRole('columnheader', { name: 'Hands' }).getAttribute('aria-sort')).toBe('descending');
    expect(texts(found.getAllByRole('rowheader'))).toEqual(['ann', 'ben']);
    expect(texts(found.getAllByRole('cell'))).toEqual(['12', '7']);
  });
  it('labels each cell for phones, where a row is a card', () => {
    render(table(users));
    expect(screen.getAllByRole('cell').map(({ dataset }) => dataset.label)).toEqual(['Hands', 'Hands']);
  });
});

describe('page numbers', () => {
  const show = (page: number, totalPages: number) => {
    const onPage = vi.fn();
    render(<Pagination label="Pages" page={page} totalPages={totalPages} onPage={onPage} />);
    const enabled = screen.queryAllByRole('button').filter((button) => !(button as HTMLButtonElement).disabled);
    return { onPage, enabled: texts(enabled) };
  };

  it('are absent for one page', () => {
    expect(show(1, 1).enabled).toEqual([]);
  });
  it('show five pages around the current one and disable buttons without a target', () => {
    expect(show(1, 9).enabled).toEqual(['1', '2', '3', '4', '5', 'Next', '»']);
    cleanup();
    expect(show(5, 9).enabled).toEqual(['«', 'Previous', '3', '4', '5', '6', '7', 'Next', '»']);
    cleanup();
    expect(show(9, 9).enabled).toEqual(['«', 'Previous', '5', '6', '7', '8', '9']);
  });
  it('mark the current page and report the chosen one', () => {
    const { onPage } = show(5, 9);
    expect(screen.getByRole('button', { current: 'page' }).textContent).toBe('5');
    for (const name of ['First', 'Previous', 'Page 7', 'Next', 'Last (9)'])
      fireEvent.click(screen.getByRole('button', { name }));
    expect(onPage.mock.calls.flat()).toEqual([1, 4, 7, 6, 9]);
  });
});

describe('a paged list', () => {
  type ListQuery = PagedList<User>['query'];
  const show = (part: Partial<ListQuery>, page = 1) => {
    const [onPage, refetch] = [vi.fn(), vi.fn()];
    const idle = { isPending: false, isFetching: false, isError: false, error: null, data: undefined };
    const list = { query: { ...idle, refetch, ...part }, page, pageSize: 2, setPage: onPage };
    render(
      <PagedRows list={list} noun="users" empty="No users found">
        {table}
      </PagedRows>,
    );
    return { onPage, refetch };
  };

  it('shows the loading state', () => {
    show({ isPending: true });
    expect(screen.getByRole('status').textContent).toBe('Loading...');
  });
  it('shows the error and can be retried', () => {
    const { refetch } = show({ isError: true, error: new ApiError({ status: 503, detail: 'Unavailable.' }) });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load users. Unavailable.');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(refetch).toHaveBeenCalledOnce();
  });
  it('shows the empty state', () => {
    show({ data: { items: [], total: 0 } });
    expect(screen.getByText('No users found')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
  it('shows the rows, their range and a button for the next page', () => {
    const { onPage } = show({ data: { items: users, total: 5 } });
    expect(screen.getByText('1-2 of 5 users')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(onPage).toHaveBeenCalledWith(2);
  });
  it('goes to the last page that exists when its own page has become empty', () => {
    const { onPage } = show({ data: { items: [], total: 4 } }, 3);
    expect(onPage).toHaveBeenCalledWith(2);
    expect(screen.queryByText('No users found')).toBeNull();
  });
});
