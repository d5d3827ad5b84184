import { useState } from 'react';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { ChoiceField, SearchField } from '../../components/form.tsx';
import { useJobDeletion } from '../../components/job-table.tsx';
import { BackLink, Page, Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { jobTitle } from '../../lib/matches.ts';
import { usePagedSearch } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useNow } from '../../lib/visible.ts';
import { AdminJobCard } from './admin-job-card.tsx';
import { LoadedCount, LoadMore } from './games-page.tsx';
import {
  DATE_ORDER_LABELS,
  type DateOrder,
  distinctPlayers,
  joinPages,
  LOAD_FAILED,
  nextDateOrder,
  orderQuery,
  recentJobs,
  useJobPages,
} from './job-lists.ts';
import './games.css';

const MINUTE_MS = 60_000;
const STATUSES = { '': 'All', Running: 'Running', Finished: 'Finished', Failed: 'Failed' };
const VISIBILITIES = { '': 'All', public: 'Public', private: 'Private' };
type Filters = { q: string; status: keyof typeof STATUSES; visibility: keyof typeof VISIBILITIES };

/** Shows /admin/games: the server searches, filters and sorts, so that the page stays fast with 100,000 matches. */
export function AdminGamesPage() {
  const { filters, query, change } = usePagedSearch<Filters>({ q: '', status: '', visibility: '' });
  const [order, setOrder] = useState<DateOrder>('newest');
  const listQuery = { ...query, ...orderQuery(order) };
  const games = useJobPages([...queryKeys.adminGames, listQuery], (paging, signal) =>
    api.get('/live/job-ids', { query: { ...listQuery, ...paging }, signal }),
  );
  const now = useNow(MINUTE_MS);
  const jobs = joinPages(games.data?.pages ?? []);
  const deletion = useJobDeletion();

  return (
    <Page
      width="wide"
      title="Admin Games"
      before={<BackLink to="/admin">Back to admin dashboard</BackLink>}
      actions={
        <>
          <ButtonLink variant="ghost" to="/upload-replay">
            Upload your own local run
          </ButtonLink>
          <Button variant="secondary" disabled={games.isFetching} onClick={() => void games.refetch()}>
            Refresh
          </Button>
          <Button variant="secondary" onClick={() => setOrder(nextDateOrder(order))}>
            {DATE_ORDER_LABELS[order]}
          </Button>
        </>
      }
    >
      <Stats
        items={[
          { label: 'Total Games Loaded', value: jobs.length },
          { label: 'Total Players', value: distinctPlayers(jobs) },
          { label: 'Recent Games', value: recentJobs(jobs, now) },
        ]}
      />
      <div className="field-grid">
        <SearchField
          label="Search matches"
          placeholder="Player, or beginning of a job ID"
          value={filters.q}
          onSearch={(q) => change({ q })}
        />
        <ChoiceField
          label="Status"
          value={filters.status}
          choices={STATUSES}
          onChoose={(status) => change({ status })}
        />
        <ChoiceField
          label="Visibility"
          value={filters.visibility}
          choices={VISIBILITIES}
          onChoose={(visibility) => change({ visibility })}
        />
      </div>
      {games.isPending && <Loading text="Loading games..." />}
      {games.isError && !games.isFetchNextPageError && (
        <ErrorBox text={LOAD_FAILED} onRetry={() => void games.refetch()} />
      )}
      {games.isSuccess && jobs.length === 0 && <EmptyState title="No games found" />}
      {jobs.length > 0 && (
        <>
          <LoadedCount loaded={jobs.length} total={games.data?.pages[0]?.total_count} />
          <ul className="job-cards">
            {jobs.map((job) => (
              <AdminJobCard
                key={job.job_id}
                job={job}
                onDelete={() => deletion.ask({ jobId: job.job_id, status: job.status, name: jobTitle(job) })}
              />
            ))}
          </ul>
        </>
      )}
      <LoadMore
        loading={games.isFetchingNextPage}
        hasMore={games.hasNextPage}
        onMore={() => void games.fetchNextPage()}
      />
      {deletion.dialog}
    </Page>
  );
}
