import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Icon } from '../../components/icon.tsx';
import { isOpenJob, JobLink, JobOutcome, JobState } from '../../components/job-cells.tsx';
import { Panel } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { POLL_OWN_JOBS_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../lib/session.ts';
import type { OwnJob } from '../../lib/types.ts';
import { BotLogButton } from './bot-log-button.tsx';

export function MyJobs() {
  const client = useQueryClient();
  const { user } = useSession();
  const [doomed, setDoomed] = useState<OwnJob | null>(null);
  const jobs = useQuery({
    queryKey: queryKeys.ownJobs,
    queryFn: ({ signal }) => api.get<OwnJob[]>('/sim/status/all', { signal }),
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  const removal = useMutation({
    mutationFn: (job: OwnJob) => api.delete(`/sim/job/${encodeURIComponent(job.job_id)}`),
    onSuccess: (_answer, job) => toast.success(isOpenJob(job.job_status) ? 'Job cancelled.' : 'Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setDoomed(null);
      return client.invalidateQueries({ queryKey: queryKeys.ownJobs });
    },
  });

  const columns: Column<OwnJob>[] = [
    { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
    { label: 'Status', cell: (job) => <JobState status={job.job_status} progress={job} /> },
    {
      label: 'Result/Error',
      cell: (job) => <JobOutcome status={job.job_status} error={job.error} results={job.result_data} />,
    },
    {
      label: 'Actions',
      cell: (job) => (
        <div className="cell-actions">
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
          {user && !isOpenJob(job.job_status) && <BotLogButton jobId={job.job_id} username={user.username} />}
          {isOpenJob(job.job_status) && (
            <Button variant="danger" small aria-label={`Cancel job ${job.job_id}`} onClick={() => setDoomed(job)}>
              Cancel
            </Button>
          )}
        </div>
      ),
    },
  ];

  return (
    <Panel
      title="My Jobs"
      flush
      actions={
        <Button variant="secondary" small onClick={() => void jobs.refetch()} disabled={jobs.isFetching}>
          <Icon name="refresh" />
          Refresh Jobs
        </Button>
      }
    >
      <p className="visually-hidden" role="status">
        {summary(jobs.data)}
      </p>
      {jobs.isPending && <Loading inline />}
      {jobs.isError && (
        <div className="panel-body">
          <ErrorBox text={`Failed to load jobs. ${messageOf(jobs.error)}`} onRetry={() => void jobs.refetch()} />
        </div>
      )}
      {jobs.data?.length === 0 && <EmptyState title="No jobs submitted yet" />}
      {jobs.data && jobs.data.length > 0 && (
        <Table caption="My Jobs" columns={columns} rows={jobs.data} rowKey={(job) => job.job_id} />
      )}
      <ConfirmDialog
        open={doomed !== null}
        title="Cancel job"
        confirmLabel="Cancel job"
        keepLabel="Keep it running"
        busy={removal.isPending}
        onConfirm={() => doomed && removal.mutate(doomed)}
        onCancel={() => setDoomed(null)}
      >
        <p>Are you sure you want to cancel this job? It stops and leaves your list.</p>
      </ConfirmDialog>
    </Panel>
  );
}

function summary(jobs: OwnJob[] | undefined): string {
  if (!jobs) return '';
  const open = jobs.filter((job) => isOpenJob(job.job_status)).length;
  return `${jobs.length} jobs, ${open} not ended yet`;
}
