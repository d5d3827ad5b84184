import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../lib/api.ts';
import type { AdminJob } from '../lib/types.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CopyButton } from './copy-button.tsx';
import { isOpenJob, JobLink, JobOutcome, JobState } from './job-cells.tsx';
import { type Column, Table } from './table.tsx';
import { toast } from './toast-store.ts';

type Props = {
  caption: string;
  jobs: AdminJob[];
  /** The list that is stale after a deletion. */
  staleKey: readonly unknown[];
  /** Columns before the actions. */
  extra?: Column<AdminJob>[];
  /** Scaling jobs are no matches: nothing to open, nothing to delete. */
  plain?: boolean;
};

const statusOf = (job: AdminJob) => job.status ?? job.job_status;

/** Jobs as admins see them: Job ID, Status, User, Result/Error, what the page adds, Actions. */
export function JobTable({ caption, jobs, staleKey, extra = [], plain = false }: Props) {
  const client = useQueryClient();
  const [doomed, setDoomed] = useState<AdminJob | null>(null);
  const removal = useMutation({
    mutationFn: (job: AdminJob) => api.delete(`/sim/job/${encodeURIComponent(job.job_id)}`),
    onSuccess: () => toast.success('Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setDoomed(null);
      return client.invalidateQueries({ queryKey: staleKey });
    },
  });

  const columns: Column<AdminJob>[] = [
    {
      label: 'Job ID',
      cell: (job) => (
        <span className="job-id">
          {plain ? <span>{job.job_id}</span> : <JobLink jobId={job.job_id} />}
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
        </span>
      ),
    },
    { label: 'Status', cell: (job) => <JobState status={statusOf(job)} progress={job} /> },
    { label: 'User', cell: (job) => job.username ?? '—' },
    {
      label: 'Result/Error',
      cell: (job) => <JobOutcome status={statusOf(job)} error={job.error_message} results={job.result_data} />,
    },
    ...extra,
  ];
  if (!plain) {
    columns.push({
      label: 'Actions',
      cell: (job) => (
        <Button variant="danger" small aria-label={`Delete job ${job.job_id}`} onClick={() => setDoomed(job)}>
          Delete
        </Button>
      ),
    });
  }

  return (
    <>
      <Table caption={caption} columns={columns} rows={jobs} rowKey={(job) => job.job_id} />
      <ConfirmDialog
        open={doomed !== null}
        title="Delete job"
        confirmLabel="Delete job"
        busy={removal.isPending}
        onConfirm={() => doomed && removal.mutate(doomed)}
        onCancel={() => setDoomed(null)}
      >
        <p>
          Are you sure you want to delete this job?{' '}
          {doomed && isOpenJob(statusOf(doomed)) && 'It has not ended yet and will be stopped. '}
          Its hands and results go with it.
        </p>
        <p className="muted">{doomed?.job_id}</p>
      </ConfirmDialog>
    </>
  );
}
