import { shortId } from '../lib/format.ts';
import type { AdminJob } from '../lib/types.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { useJobDeletion } from './delete-job-dialog.tsx';
import { faultsOf, JobLink, JobOutcome, JobState } from './job-cells.tsx';
import { type Column, Table } from './table.tsx';

type Props = {
  caption: string;
  jobs: AdminJob[];
  /** Columns before the actions. */
  extra?: Column<AdminJob>[];
  /** For scaling jobs, which are not matches: without links and delete buttons. */
  plain?: boolean;
};

export const statusOf = (job: AdminJob) => job.status ?? job.job_status;

/** Lists jobs for admins: Job ID, Status, User, Result/Error, the columns of the page, Actions. */
export function JobTable({ caption, jobs, extra = [], plain = false }: Props) {
  const deletion = useJobDeletion();
  const columns: Column<AdminJob>[] = [
    {
      label: 'Job ID',
      cell: (job) => (
        <span className="job-id">
          {plain ? <span title={job.job_id}>{shortId(job.job_id)}</span> : <JobLink jobId={job.job_id} />}
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
        </span>
      ),
    },
    { label: 'Status', brief: true, cell: (job) => <JobState status={statusOf(job)} progress={job} /> },
    { label: 'User', cell: (job) => job.username ?? '—' },
    {
      label: 'Result/Error',
      cell: (job) => (
        <JobOutcome status={statusOf(job)} error={job.error_message} results={job.result_data} {...faultsOf(job)} />
      ),
    },
    ...extra,
  ];
  if (!plain) {
    columns.push({
      label: 'Actions',
      cell: (job) => (
        <Button
          variant="danger"
          small
          aria-label={`Delete job ${job.job_id}`}
          onClick={() => deletion.ask({ jobId: job.job_id, status: statusOf(job) })}
        >
          Delete
        </Button>
      ),
    });
  }

  return (
    <>
      <Table
        caption={caption}
        columns={columns}
        rows={jobs}
        rowKey={(job) => job.job_id}
        {...(plain ? {} : { foldedAs: (job: AdminJob) => `job ${shortId(job.job_id)}` })}
      />
      {deletion.dialog}
    </>
  );
}
