import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Page, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PublicJob } from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import {
  DATE_ORDER_LABELS,
  type DateOrder,
  DEFAULT_TOTALS,
  isLive,
  jobPath,
  jobTitle,
  joinPages,
  nextDateOrder,
  recentJobs,
  sortJobs,
} from './job-lists.ts';
import { LiveMark, LoadMore } from './load-more.tsx';
import { LOAD_FAILED, useJobPages } from './use-job-pages.ts';
import './games.css';

const MINUTE_MS = 60_000;

function JobCard({ job }: { job: PublicJob }) {
  return (
    <li className={isLive(job) ? 'job-card job-card-live' : 'job-card'}>
      <h2 className="job-card-title">
        {/* The whole card is the link's area; the text of the link is its title alone. */}
        <Link to={jobPath(job)}>{jobTitle(job)}</Link>
        {isLive(job) && <LiveMark />}
      </h2>
      <p className="job-card-id">ID: {job.job_id}</p>
      <p className="job-card-players">{job.players.join(' · ')}</p>
      <p className="job-card-date">{formatTime(job.first_game_created_at)}</p>
    </li>
  );
}

/** /games */
export function GamesPage() {
  const games = useJobPages(queryKeys.publicJobs, '/live/public-job-ids/paginated');
  const [order, setOrder] = useState<DateOrder>('newest');
  const now = useNow(MINUTE_MS);
  const jobs = joinPages(games.data?.pages ?? []);
  const newest = games.data?.pages.at(-1);
  const totals = [
    { label: 'Total Games', value: (newest?.total_games ?? DEFAULT_TOTALS.games).toLocaleString('en-US') },
    { label: 'Total Players', value: (newest?.total_players ?? DEFAULT_TOTALS.players).toLocaleString('en-US') },
    { label: 'Recent Games (24h)', value: recentJobs(jobs, now).toLocaleString('en-US') },
  ];

  return (
    <Page
      width="wide"
      title="Games"
      lead="Every public match, hand by hand. Matches that run right now carry a LIVE mark."
      actions={
        <Button variant="secondary" onClick={() => setOrder(nextDateOrder(order))}>
          {DATE_ORDER_LABELS[order]}
        </Button>
      }
    >
      <Stats items={totals} />
      {games.isPending && <Loading text="Loading games..." />}
      {games.isError && jobs.length === 0 && <ErrorBox text={LOAD_FAILED} onRetry={() => void games.refetch()} />}
      {games.isSuccess && jobs.length === 0 && <EmptyState title="No games found" />}
      {jobs.length > 0 && (
        <ul className="job-cards">
          {sortJobs(jobs, order).map((job) => (
            <JobCard key={job.job_id} job={job} />
          ))}
        </ul>
      )}
      <LoadMore
        loading={games.isFetchingNextPage}
        hasMore={games.hasNextPage}
        onMore={() => void games.fetchNextPage()}
      />
    </Page>
  );
}
