import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { faultsOf, isFinishedJob, isOpenJob, JobLink, JobOutcome, JobState } from '../../components/job-cells.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows, RefreshButton } from '../../components/paged-rows.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { FaultSentence } from '../../doctor/fault-sentence.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { botReportPath } from '../../lib/paths.ts';
import { POLL_OWN_JOBS_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PlayedJob } from '../../lib/types.ts';
import { usePagedList } from '../../lib/use-paged-list.ts';
import { useSession } from '../../session/session.ts';
import { BotLogButton } from './bot-log-button.tsx';

export function MyJobs() {
  const client = useQueryClient();
  const { user } = useSession();
  const [toDelete, setToDelete] = useState<PlayedJob | null>(null);
  const jobs = usePagedList({
    queryKey: queryKeys.ownJobs,
    fetch: (paging, signal) => api.getList('/sim/played', { query: { ...paging, role: 'any' }, signal }),
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  const removal = useMutation({
    mutationFn: (job: PlayedJob) => api.delete('/sim/job/{id}', { params: { id: job.job_id } }),
    onSuccess: (_response, job) => toast.success(isOpenJob(job.job_status) ? 'Job cancelled.' : 'Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setToDelete(null);
      return client.invalidateQueries({ queryKey: queryKeys.ownJobs });
    },
  });

  const columns: Column<PlayedJob>[] = [
    { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
    { label: 'Status', cell: (job) => <JobState status={job.job_status} progress={job} own={user?.username} /> },
    {
      label: 'Result/Error',
      cell: (job) => <OwnOutcome job={job} username={user?.username ?? ''} />,
    },
    {
      label: 'Actions',
      cell: (job) => (
        <div className="cell-actions">
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
          {user && isFinishedJob(job.job_status) && playsIn(job, user.username) && (
            <Link to={botReportPath(job.job_id, user.username)} aria-label={`Your bot in job ${job.job_id}`}>
              Your bot
            </Link>
          )}
          {user && !isOpenJob(job.job_status) && playsIn(job, user.username) && (
            <BotLogButton jobId={job.job_id} username={user.username} />
          )}
          {job.started_by_user && isOpenJob(job.job_status) && (
            <Button variant="danger" small aria-label={`Cancel job ${job.job_id}`} onClick={() => setToDelete(job)}>
              Cancel
            </Button>
          )}
        </div>
      ),
    },
  ];

  return (
    <Panel title="My Jobs" flush actions={<RefreshButton list={jobs} label="Refresh Jobs" />}>
      <p className="visually-hidden" role="status">
        {summary(jobs.query.data?.items, jobs.query.data?.total)}
      </p>
      <PagedRows list={jobs} noun="jobs" empty="No jobs submitted yet">
        {(rows) => <Table caption="My Jobs" columns={columns} rows={rows} rowKey={(job) => job.job_id} />}
      </PagedRows>
      <ConfirmDialog
        open={toDelete !== null}
        title="Cancel job"
        confirmLabel="Cancel job"
        cancelLabel="Keep it running"
        busy={removal.isPending}
        onConfirm={() => toDelete && removal.mutate(toDelete)}
        onCancel={() => setToDelete(null)}
      >
        <p>Are you sure you want to cancel this job? It is stopped and removed from your list.</p>
      </ConfirmDialog>
    </Panel>
  );
}

const playsIn = ({ players }: PlayedJob, username: string) => players?.includes(username) ?? false;

/** Shows the rank of the user's bot, each player's money, and what failed in the user's bot. */
function OwnOutcome({ job, username }: { job: PlayedJob; username: string }) {
  return (
    <div className="stack-tight">
      {typeof job.rank === 'number' && (
        <p>
          Rank {job.rank} of {job.players?.length}
        </p>
      )}
      <JobOutcome
        status={job.job_status}
        error={job.error}
        results={job.result_data}
        own={username}
        {...faultsOf(job)}
      />
      <FaultSentence jobId={job.job_id} username={username} faults={job.faults?.[username]} />
    </div>
  );
}

function summary(jobs: PlayedJob[] | undefined, total = 0): string {
  if (!jobs) return '';
  const open = jobs.filter((job) => isOpenJob(job.job_status)).length;
  return `${total} jobs, ${open} of those shown have not ended yet`;
}
