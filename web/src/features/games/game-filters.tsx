import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ChoiceField, SearchField, TextField } from '../../components/field.tsx';
import type { DateOrder } from './job-lists.ts';

/** Values of the fields; '' filters nothing. `q`: a username or the beginning of a match's id. */
export type GameFilters = { q: string; player: string; batch: string; status: '' | 'Running' | 'Finished' };

const SEARCH_DELAY_MS = 300;
const STATUSES = { '': 'All', Running: 'Running now', Finished: 'Finished' } as const;

const isStatus = (text: string): text is GameFilters['status'] => Object.hasOwn(STATUSES, text);
const isOrder = (text: string): text is DateOrder => text === 'newest' || text === 'oldest' || text === 'none';

/** Returns the filters of the page's address; unknown values filter nothing. */
export function filtersOf(search: URLSearchParams): GameFilters {
  const status = search.get('status') ?? '';
  return {
    q: search.get('q') ?? '',
    player: search.get('player') ?? '',
    batch: search.get('batch') ?? '',
    status: isStatus(status) ? status : '',
  };
}

/** Returns the query of the list. A batch that is not a number from 1 to 999,999,999 finds nothing, as 0 does. */
export function filterQuery({ q, player, batch, status }: GameFilters) {
  const number = /^[1-9]\d{0,8}$/.test(batch.trim()) ? Number(batch) : 0;
  return {
    q: q.trim().slice(0, 100) || undefined,
    player: player.trim().slice(0, 64) || undefined,
    batch: batch.trim() === '' ? undefined : number,
    status: status || undefined,
  };
}

/** Keeps order and filters of the list of matches in the address, so that a link shows the same list. Typing is debounced. */
export function useGameFilters() {
  const [search, setSearch] = useSearchParams();
  const [filters, setFilters] = useState(() => filtersOf(search));
  const written = useRef(search.toString());
  const order = search.get('order') ?? 'newest';

  useEffect(() => {
    // Back and links change the address without the fields.
    if (search.toString() === written.current) return;
    written.current = search.toString();
    setFilters(filtersOf(search));
  }, [search]);

  const write = (next: Record<string, string>) => {
    const kept = new URLSearchParams(Object.entries(next).filter(([, text]) => text.trim() !== ''));
    written.current = kept.toString();
    setSearch(kept, { replace: true, preventScrollReset: true });
  };
  const current = useRef({ write, search });
  current.current = { write, search };
  useEffect(() => {
    const timer = setTimeout(() => {
      const { order: shown = '', ...rest } = Object.fromEntries(current.current.search);
      const before = filtersOf(new URLSearchParams(rest));
      const keys = ['q', 'player', 'batch', 'status'] as const;
      if (keys.some((key) => before[key] !== filters[key])) current.current.write({ ...filters, order: shown });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [filters]);

  return {
    filters,
    query: filterQuery(filtersOf(search)),
    change: (part: Partial<GameFilters>) => setFilters((before) => ({ ...before, ...part })),
    order: isOrder(order) ? order : ('newest' as const),
    setOrder: (next: DateOrder) => write({ ...filters, order: next === 'newest' ? '' : next }),
  };
}

type Props = { filters: GameFilters; onChange: (part: Partial<GameFilters>) => void };

export function GameFilterFields({ filters, onChange }: Props) {
  return (
    <search className="game-filters" aria-label="Matches">
      <SearchField
        label="Search"
        placeholder="Username or match id"
        value={filters.q}
        onSearch={(q) => onChange({ q })}
      />
      <TextField
        label="Player"
        placeholder="Username"
        value={filters.player}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ player: event.target.value })}
      />
      <TextField
        label="Batch"
        placeholder="Number"
        inputMode="numeric"
        value={filters.batch}
        maxLength={9}
        onChange={(event) => onChange({ batch: event.target.value })}
      />
      <ChoiceField
        label="Status"
        value={filters.status}
        choices={STATUSES}
        onChoose={(status) => onChange({ status })}
      />
    </search>
  );
}
