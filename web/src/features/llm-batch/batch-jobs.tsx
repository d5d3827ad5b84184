import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { JobLink, JobOutcome } from '../../components/job-cells.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { rangeText } from '../../lib/page-window.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { BatchJob, BatchJobPage } from '../../lib/types.ts';

const PAGE_SIZE = 25;

const COLUMNS: Column<BatchJob>[] = [
  { label: 'Game', cell: (job) => `#${job.game_number}` },
  { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
  { label: 'Status', cell: (job) => <StatusBadge status={job.status} /> },
  { label: 'Participants', cell: (job) => job.users_to_run.join(', ') },
  {
    label: 'Result/Error',
    cell: (job) => <JobOutcome status={job.status} error={job.error_message} results={job.result_data} />,
  },
];

export function BatchJobs({ batchId }: { batchId: string }) {
  const [page, setPage] = useState(1);
  const jobs = useQuery({
    queryKey: queryKeys.batchJobs(batchId, page),
    queryFn: ({ signal }) =>
      api.get<BatchJobPage>(`/llm/batch/${encodeURIComponent(batchId)}/jobs`, {
        query: { page, page_size: PAGE_SIZE },
        signal,
      }),
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
        {rangeText(page, PAGE_SIZE, jobs.data.total_count)} jobs
      </p>
      <Pagination
        label="Pages of jobs"
        page={page}
        totalPages={Math.ceil(jobs.data.total_count / PAGE_SIZE)}
        onPage={setPage}
      />
    </div>
  );
}
