import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { BackLink } from '../../components/back-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Page, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { JobPage, PublicJob, VisibilityToggled } from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import {
  DATE_ORDER_LABELS,
  type DateOrder,
  distinctPlayers,
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
const TOGGLE_FAILED = 'Failed to toggle public status. Please try again.';

/** Flips one job in the loaded pages, so that the list neither collapses nor scrolls. */
export function withVisibility(
  data: InfiniteData<JobPage> | undefined,
  toggled: Pick<VisibilityToggled, 'job_id' | 'is_public'>,
): InfiniteData<JobPage> | undefined {
  if (data === undefined) return undefined;
  const change = (job: PublicJob) => (job.job_id === toggled.job_id ? { ...job, is_public: toggled.is_public } : job);
  return { ...data, pages: data.pages.map((page) => ({ ...page, jobs: page.jobs.map(change) })) };
}

function useToggle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api.post<VisibilityToggled>(`/admin/toggle-job-public/${encodeURIComponent(jobId)}`),
    onSuccess: (toggled) => {
      client.setQueryData<InfiniteData<JobPage>>(queryKeys.adminGames, (data) => withVisibility(data, toggled));
      void client.invalidateQueries({ queryKey: queryKeys.publicJobs });
    },
    onError: () => toast.error(TOGGLE_FAILED),
  });
}

function AdminJobCard({ job, busy, onToggle }: { job: PublicJob; busy: boolean; onToggle: () => void }) {
  return (
    <li className="job-card job-card-admin">
      <h2 className="job-card-title">
        <Link to={jobPath(job)}>{jobTitle(job)}</Link>
        {isLive(job) && <LiveMark />}
        <Badge color={job.is_public ? 'green' : 'grey'}>{job.is_public ? 'PUBLIC' : 'PRIVATE'}</Badge>
      </h2>
      <p className="job-card-id">{job.job_id}</p>
      <p className="job-card-date">
        {job.players.length} players · started {formatTime(job.first_game_created_at)}
      </p>
      <ul className="player-chips" aria-label="Players">
        {job.players.map((name) => (
          <li key={name}>
            <Link to={`/profile/${encodeURIComponent(name)}`}>
              <bdi className="truncate">{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <Button small variant={job.is_public ? 'ghost' : 'secondary'} disabled={busy} onClick={onToggle}>
        {job.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC'}
      </Button>
    </li>
  );
}

/** /admin/games */
export function AdminGamesPage() {
  const games = useJobPages(queryKeys.adminGames, '/live/job-ids');
  const toggle = useToggle();
  const [order, setOrder] = useState<DateOrder>('newest');
  const now = useNow(MINUTE_MS);
  const jobs = joinPages(games.data?.pages ?? []);

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
      {games.isPending && <Loading text="Loading games..." />}
      {games.isError && !games.isFetchNextPageError && (
        <ErrorBox text={LOAD_FAILED} onRetry={() => void games.refetch()} />
      )}
      {games.isSuccess && jobs.length === 0 && <EmptyState title="No games found" />}
      {jobs.length > 0 && (
        <ul className="job-cards">
          {sortJobs(jobs, order).map((job) => (
            <AdminJobCard
              key={job.job_id}
              job={job}
              busy={toggle.isPending && toggle.variables === job.job_id}
              onToggle={() => toggle.mutate(job.job_id)}
            />
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
