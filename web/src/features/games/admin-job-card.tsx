import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge, LiveMark } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import '../../components/match-card.css';
import { Name } from '../../components/name.tsx';
import { toast } from '../../components/toasts.tsx';
import { Tournament2025Button } from '../../components/tournament-2025-button.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { isLive, jobPath, jobTitle } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminGame, JobPage, PublicJob, VisibilityToggled } from '../../lib/types.ts';

/** Changes the visibility of one job in the loaded pages, so that the list keeps its length and position. */
export function withVisibility(
  data: InfiniteData<JobPage> | undefined,
  toggled: Pick<VisibilityToggled, 'job_id' | 'is_public'>,
): InfiniteData<JobPage> | undefined {
  if (data === undefined) return undefined;
  const change = (job: PublicJob) => (job.job_id === toggled.job_id ? { ...job, is_public: toggled.is_public } : job);
  return { ...data, pages: data.pages.map((page) => ({ ...page, jobs: page.jobs.map(change) })) };
}

function useToggle(job: AdminGame) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.post('/admin/toggle-job-public/{job_id}', {
        params: { job_id: job.job_id },
        body: { is_public: !job.is_public },
      }),
    onSuccess: (toggled) => {
      client.setQueriesData<InfiniteData<JobPage>>({ queryKey: queryKeys.adminGames }, (data) =>
        withVisibility(data, toggled),
      );
      void client.invalidateQueries({ queryKey: queryKeys.publicJobs });
    },
    onError: (error) => {
      // Another admin may have changed it first: shows the error and the current state.
      const outdated = isApiError(error, 404, 409);
      toast.error(`Failed to toggle public status. ${outdated ? error.detail : 'Please try again.'}`);
      if (outdated) void client.invalidateQueries({ queryKey: queryKeys.adminGames });
    },
  });
}

/** Shows a match in the admins' list, with its actions. */
export function AdminJobCard({ job, onDelete }: { job: AdminGame; onDelete: () => void }) {
  const toggle = useToggle(job);
  const [confirming, setConfirming] = useState(false);
  const title = jobTitle(job);
  const toggleLabel = job.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC';
  return (
    <li className="job-card job-card-admin">
      <h2 className="job-card-title">
        <Link to={jobPath(job)}>{title}</Link>
        {isLive(job) && <LiveMark />}
        <Badge color={job.is_public ? 'green' : 'grey'}>{job.is_public ? 'PUBLIC' : 'PRIVATE'}</Badge>
        {job.tournaments_2025_added && <Badge color="yellow">2025</Badge>}
      </h2>
      <p className="job-card-id">{job.job_id}</p>
      <p className="job-card-date">
        {job.players.length} players · started {formatTime(job.first_game_created_at)}
      </p>
      <ul className="player-chips" aria-label="Players">
        {job.players.map((name) => (
          <li key={name}>
            <Link to={`/profile/${encodeURIComponent(name)}`}>
              <Name name={name} />
            </Link>
          </li>
        ))}
      </ul>
      <div className="cluster">
        <Button
          small
          variant={job.is_public ? 'ghost' : 'secondary'}
          disabled={toggle.isPending}
          aria-label={`${toggleLabel}, job ${job.job_id}`}
          onClick={() => setConfirming(true)}
        >
          {toggleLabel}
        </Button>
        <ConfirmDialog
          open={confirming}
          title={job.is_public ? 'Make this match private?' : 'Make this match public?'}
          confirmLabel={job.is_public ? 'Make private' : 'Make public'}
          busy={toggle.isPending}
          destructive={false}
          onConfirm={() => toggle.mutate(undefined, { onSettled: () => setConfirming(false) })}
          onCancel={() => setConfirming(false)}
        >
          <p>
            {job.is_public
              ? `Only its players and admins can open ${title} and its hands afterwards. Copies that others downloaded remain.`
              : `Everybody can read ${title} afterwards: its hands with all hole cards, its graph and its downloads.`}
          </p>
        </ConfirmDialog>
        <Tournament2025Button job={job} />
        <Button small variant="danger" aria-label={`Delete job ${job.job_id}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  );
}
