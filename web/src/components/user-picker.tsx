import { useState } from 'react';
import { rangeText } from '../lib/paged-list.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { EmptyState, QueryState } from './feedback.tsx';
import { SearchField } from './form.tsx';
import { Icon } from './icon.tsx';
import { Pagination } from './pagination.tsx';
import { type Column, Table } from './table.tsx';
import './user-picker.css';
import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { AdminUser } from '../lib/types.ts';
import { Name } from './name.tsx';

const PAGE_SIZE = 10;
const NEXT_SORT: Record<CandidateSort, CandidateSort> = {
  name: 'final-first',
  'final-first': 'final-last',
  'final-last': 'name',
};
const ARIA_SORT = { name: 'none', 'final-first': 'descending', 'final-last': 'ascending' } as const;

type Props = { roster: string[]; limit: number; onRoster: (roster: string[]) => void };

/** Selects users for a match: only users with a final submission, and at most `limit`. */
export function UserPicker({ roster, limit, onRoster }: Props) {
  const candidates = useCandidates();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<CandidateSort>('final-first');
  const [page, setPage] = useState(1);

  const arranged = arrangeCandidates(candidates.data ?? [], search, sort);
  const totalPages = Math.max(1, Math.ceil(arranged.length / PAGE_SIZE));
  const shownPage = Math.min(page, totalPages);
  const rows = arranged.slice((shownPage - 1) * PAGE_SIZE, shownPage * PAGE_SIZE);
  const full = roster.length >= limit;

  const columns: Column<Candidate>[] = [
    {
      label: 'SELECT',
      cell: (entry) => (
        <input
          type="checkbox"
          className="check"
          aria-label={`Select ${entry.username}`}
          checked={roster.includes(entry.username)}
          disabled={!entry.hasFinal || (full && !roster.includes(entry.username))}
          onChange={() => onRoster(toggleCandidate(roster, entry.username, limit))}
        />
      ),
    },
    { label: 'USERNAME', cell: (entry) => <Name name={entry.username} /> },
    {
      label: 'FINAL SUB',
      sort: ARIA_SORT[sort],
      head: (
        <button type="button" className="sort-button" onClick={() => setSort(NEXT_SORT[sort])}>
          FINAL SUB
          {sort !== 'name' && <Icon name={sort === 'final-first' ? 'down' : 'up'} />}
        </button>
      ),
      cell: (entry) => <Badge color={entry.hasFinal ? 'green' : 'grey'}>{entry.hasFinal ? 'YES' : 'NO'}</Badge>,
    },
    {
      label: 'STATUS',
      cell: (entry) => (
        <span className={roster.includes(entry.username) ? 'positive' : 'muted'}>
          {roster.includes(entry.username) ? 'SELECTED' : 'STANDBY'}
        </span>
      ),
    },
  ];

  return (
    <div className="stack picker-table">
      <SearchField
        label="Search users"
        value={search}
        onSearch={(text) => {
          setSearch(text);
          setPage(1);
        }}
      />
      <QueryState what="users" query={candidates} />
      {candidates.data && arranged.length === 0 && <EmptyState title="No users found" />}
      {rows.length > 0 && (
        <>
          <Table caption="Users to select" columns={columns} rows={rows} rowKey={(entry) => entry.username} />
          <p className="muted" role="status">
            {rangeText(shownPage, PAGE_SIZE, arranged.length)}
          </p>
          <Pagination label="Pages of users" page={shownPage} totalPages={totalPages} onPage={setPage} />
        </>
      )}
    </div>
  );
}

type RosterProps = {
  roster: string[];
  /** Number of seats shown, empty ones included. */
  seats: number;
  onRoster: (roster: string[]) => void;
};

/** Shows the selected users in the order of selection. */
export function Roster({ roster, seats, onRoster }: RosterProps) {
  const empty = Array.from({ length: Math.max(0, seats - roster.length) }, (_, index) => roster.length + index + 1);
  return (
    <ol className="roster">
      {roster.map((username) => (
        <li key={username}>
          <Name name={username} />
          <Button
            variant="ghost"
            small
            iconOnly
            aria-label={`Remove ${username}`}
            onClick={() => onRoster(roster.filter((name) => name !== username))}
          >
            <Icon name="close" />
          </Button>
        </li>
      ))}
      {empty.map((seat) => (
        <li key={seat} className="roster-empty">
          <span>empty</span>
        </li>
      ))}
    </ol>
  );
}

const CANDIDATES_PAGE_SIZE = 1_000;

async function fetchAllUsers(signal: AbortSignal): Promise<AdminUser[]> {
  const users: AdminUser[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await api.getList('/admin/users', {
      query: { page, page_size: CANDIDATES_PAGE_SIZE },
      signal,
    });
    users.push(...items);
    if (items.length === 0 || users.length >= total) return users;
  }
}

type Candidate = { username: string; hasFinal: boolean };

/** Loads all users and whether they have a final submission, for the admins' pickers. */
function useCandidates() {
  return useQuery({
    queryKey: queryKeys.allUsers,
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const [users, finals] = await Promise.all([
        fetchAllUsers(signal),
        api.get('/submission/users/with-final', { signal }),
      ]);
      const withFinal = new Set(finals.users_list);
      const names = new Set([...users.map((user) => user.username), ...withFinal]);
      return [...names].map((username) => ({ username, hasFinal: withFinal.has(username) }));
    },
    staleTime: 60_000,
  });
}

type CandidateSort = 'final-first' | 'final-last' | 'name';

function byName(a: Candidate, b: Candidate): number {
  return a.username.localeCompare(b.username, 'en', { sensitivity: 'base' });
}

/** Returns the candidates that match the search, sorted. */
export function arrangeCandidates(candidates: Candidate[], search: string, sort: CandidateSort): Candidate[] {
  const needle = search.trim().toLowerCase();
  const found = candidates.filter((entry) => entry.username.toLowerCase().includes(needle));
  const order = { 'final-first': -1, 'final-last': 1, name: 0 }[sort];
  return found.sort((a, b) => order * (Number(a.hasFinal) - Number(b.hasFinal)) || byName(a, b));
}

/** Adds the user to the roster or removes it. Adding beyond the limit has no effect. */
export function toggleCandidate(roster: string[], username: string, limit: number): string[] {
  if (roster.includes(username)) return roster.filter((name) => name !== username);
  return roster.length >= limit ? roster : [...roster, username];
}
