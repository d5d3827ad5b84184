import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { MatchCards } from '../../components/match-card.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { JobPage } from '../../lib/types.ts';
import {
  BENCHMARK_2025,
  DATE_ORDER_LABELS,
  type DateOrder,
  joinPages,
  LOAD_FAILED,
  nextDateOrder,
  orderQuery,
  useJobPages,
} from './job-lists.ts';
import './games.css';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ChoiceField, SearchField, TextField } from '../../components/form.tsx';

/** Shows the totals of the published benchmark and those of this platform, each with its own heading. */
function Totals({ newest }: { newest: JobPage | undefined }) {
  const count = (value: number | undefined) => (value === undefined ? '—' : formatNumber(value));
  return (
    <div className="games-totals">
      <Panel title="Published 2025 benchmark">
        <Stats
          items={[
            { label: 'Total Games', value: formatNumber(BENCHMARK_2025.games) },
            { label: 'Total Players', value: formatNumber(BENCHMARK_2025.players) },
          ]}
        />
      </Panel>
      <Panel title="Public on this platform">
        <Stats
          items={[
            { label: 'Matches', value: count(newest?.total_count) },
            { label: 'Matches (24h)', value: count(newest?.recent_count) },
            { label: 'Hands', value: count(newest?.total_games) },
            { label: 'Players', value: count(newest?.total_players) },
          ]}
        />
      </Panel>
    </div>
  );
}

/** Shows /games. Search, filters and order are in the URL. */
export function GamesPage() {
  const { order, setOrder, filters, query, change } = useGameFilters();
  const listQuery = { ...orderQuery(order), ...query };
  const games = useJobPages([...queryKeys.publicJobs, listQuery], (paging, signal) =>
    api.get('/live/public-job-ids/paginated', { query: { ...listQuery, ...paging }, signal }),
  );
  const jobs = joinPages(games.data?.pages ?? []);
  const newest = games.data?.pages.at(-1);
  const filtered = Object.values(query).some((value) => value !== undefined);
  // The totals count all matches, also while a filter shows some.
  const all = useQuery({
    queryKey: [...queryKeys.publicJobs, 'totals'],
    queryFn: ({ signal }) => api.get('/live/public-job-ids/paginated', { query: { page: 1, page_size: 1 }, signal }),
    enabled: filtered,
  });

  return (
    <Page
      width="wide"
      title="Games"
      lead="Every public match with all its hands. Matches in play are marked LIVE."
      actions={
        <Button variant="secondary" onClick={() => setOrder(nextDateOrder(order))}>
          {DATE_ORDER_LABELS[order]}
        </Button>
      }
    >
      <Totals newest={filtered ? all.data : newest} />
      <GameFilterFields filters={filters} onChange={change} />
      {games.isPending && <Loading text="Loading games..." />}
      {games.isError && jobs.length === 0 && <ErrorBox text={LOAD_FAILED} onRetry={() => void games.refetch()} />}
      {games.isSuccess && jobs.length === 0 && (
        <EmptyState
          title="No games found"
          {...(filtered ? { text: 'No public match passes the search and the filters.' } : {})}
        />
      )}
      {jobs.length > 0 && (
        <>
          <LoadedCount loaded={jobs.length} total={newest?.total_count} />
          <MatchCards matches={jobs} heading="h2" />
        </>
      )}
      <LoadMore
        loading={games.isFetchingNextPage}
        hasMore={games.hasNextPage}
        onMore={() => void games.fetchNextPage()}
      />
    </Page>
  );
}

type LoadMoreProps = { loading: boolean; hasMore: boolean; onMore: () => void };

export function LoadMore({ loading, hasMore, onMore }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <div className="load-more">
      <Button variant="secondary" disabled={loading} onClick={onMore}>
        {loading ? 'Loading...' : 'Load more'}
      </Button>
    </div>
  );
}

/** Shows how many of all matches are loaded. */
export function LoadedCount({ loaded, total = loaded }: { loaded: number; total?: number | undefined }) {
  return (
    <p className="muted" role="status">
      {formatNumber(loaded)} of {formatNumber(total)} matches
    </p>
  );
}

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
function useGameFilters() {
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

function GameFilterFields({ filters, onChange }: Props) {
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
