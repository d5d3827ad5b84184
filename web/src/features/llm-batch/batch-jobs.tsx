import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { JobLink } from '../../components/job-cells.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api, isApiError, messageOf } from '../../lib/api.ts';
import { rangeText } from '../../lib/page-window.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Batch, BatchJob, BatchJobPage } from '../../lib/types.ts';

const PAGE_SIZE = 25;

const COLUMNS: Column<BatchJob>[] = [
  { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
  { label: 'Status', cell: (job) => <StatusBadge status={job.status} /> },
  { label: 'Participants', cell: (job) => job.users_to_run.join(', ') },
];

async function load(batch: Batch, page: number, signal: AbortSignal): Promise<{ jobs: BatchJob[]; total: number }> {
  try {
    const path = `/llm/batch/${encodeURIComponent(batch.batch_id)}/jobs`;
    const answer = await api.get<BatchJobPage>(path, { query: { page, page_size: PAGE_SIZE }, signal });
    return { jobs: answer.jobs, total: answer.total_count ?? batch.total_jobs };
  } catch (error) {
    // A server without the paged call carries the jobs in the list of batches.
    if (!isApiError(error, 404) || !batch.jobs) throw error;
    return { jobs: batch.jobs.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), total: batch.jobs.length };
  }
}

export function BatchJobs({ batch }: { batch: Batch }) {
  const [page, setPage] = useState(1);
  const jobs = useQuery({
    queryKey: queryKeys.batchJobs(batch.batch_id, page),
    queryFn: ({ signal }) => load(batch, page, signal),
    refetchInterval: POLL_ADMIN_MS,
    placeholderData: keepPreviousData,
  });
  if (jobs.isPending) return <Loading inline />;
  if (jobs.isError) {
    return <ErrorBox text={`Failed to load jobs. ${messageOf(jobs.error)}`} onRetry={() => void jobs.refetch()} />;
  }
  if (jobs.data.jobs.length === 0) return <EmptyState title="No batch jobs found" />;
  return (
    <div className="stack">
      <Table caption="Jobs of the batch" columns={COLUMNS} rows={jobs.data.jobs} rowKey={(job) => job.job_id} />
      <p className="muted" role="status">
        {rangeText(page, PAGE_SIZE, jobs.data.total)} jobs
      </p>
      <Pagination
        label="Pages of jobs"
        page={page}
        totalPages={Math.ceil(jobs.data.total / PAGE_SIZE)}
        onPage={setPage}
      />
    </div>
  );
}
