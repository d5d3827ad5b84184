import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { LiveMark } from '../../components/live-mark.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { JobPage, PublicJob } from '../../lib/types.ts';
import {
  BENCHMARK_2025,
  DATE_ORDER_LABELS,
  type DateOrder,
  isLive,
  jobPath,
  jobTitle,
  joinPages,
  LOAD_FAILED,
  nextDateOrder,
  orderQuery,
  useJobPages,
} from './job-lists.ts';
import { LoadedCount, LoadMore } from './load-more.tsx';
import './games.css';

function JobCard({ job }: { job: PublicJob }) {
  return (
    <li className={isLive(job) ? 'job-card job-card-live' : 'job-card'}>
      <h2 className="job-card-title">
        {/* The whole card is clickable; the link's text is only the title. */}
        <Link to={jobPath(job)}>{jobTitle(job)}</Link>
        {isLive(job) && <LiveMark />}
      </h2>
      <p className="job-card-id">ID: {job.job_id}</p>
      <p className="job-card-players">{job.players.join(' · ')}</p>
      <p className="job-card-date">{formatTime(job.first_game_created_at)}</p>
    </li>
  );
}

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

/** /games */
export function GamesPage() {
  const [order, setOrder] = useState<DateOrder>('newest');
  const listQuery = orderQuery(order);
  const games = useJobPages([...queryKeys.publicJobs, listQuery], (paging, signal) =>
    api.get('/live/public-job-ids/paginated', { query: { ...listQuery, ...paging }, signal }),
  );
  const jobs = joinPages(games.data?.pages ?? []);
  const newest = games.data?.pages.at(-1);

  return (
    <Page
      width="wide"
      title="Games"
      lead="Every public match, hand by hand; a game's number is its match's. Matches that run right now carry a LIVE mark."
      actions={
        <Button variant="secondary" onClick={() => setOrder(nextDateOrder(order))}>
          {DATE_ORDER_LABELS[order]}
        </Button>
      }
    >
      <Totals newest={newest} />
      {games.isPending && <Loading text="Loading games..." />}
      {games.isError && jobs.length === 0 && <ErrorBox text={LOAD_FAILED} onRetry={() => void games.refetch()} />}
      {games.isSuccess && jobs.length === 0 && <EmptyState title="No games found" />}
      {jobs.length > 0 && (
        <>
          <LoadedCount loaded={jobs.length} total={newest?.total_count} />
          <ul className="job-cards">
            {jobs.map((job) => (
              <JobCard key={job.job_id} job={job} />
            ))}
          </ul>
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
