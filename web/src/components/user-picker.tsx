import { useState } from 'react';
import { rangeText } from '../lib/page-window.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { arrangeCandidates, type Candidate, type CandidateSort, toggleCandidate, useCandidates } from './candidates.ts';
import { EmptyState } from './empty-state.tsx';
import { QueryState } from './error-box.tsx';
import { SearchField } from './field.tsx';
import { Icon } from './icon.tsx';
import { Pagination } from './pagination.tsx';
import { type Column, Table } from './table.tsx';
import './user-picker.css';

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
    { label: 'USERNAME', cell: (entry) => entry.username },
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
          <span className="wrap-name">{username}</span>
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
