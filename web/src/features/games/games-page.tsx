import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Loading } from '../../components/loading.tsx';
import { MatchCards } from '../../components/match-card.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { JobPage } from '../../lib/types.ts';
import { GameFilterFields, useGameFilters } from './game-filters.tsx';
import {
  BENCHMARK_2025,
  DATE_ORDER_LABELS,
  joinPages,
  LOAD_FAILED,
  nextDateOrder,
  orderQuery,
  useJobPages,
} from './job-lists.ts';
import { LoadedCount, LoadMore } from './load-more.tsx';
import './games.css';

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
