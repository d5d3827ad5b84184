import { ChoiceField } from '../../components/field.tsx';
import { faultsOf, JobLink, JobOutcome, JobState } from '../../components/job-cells.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Batch, BatchJob } from '../../lib/types.ts';
import { usePagedList } from '../../lib/use-paged-list.ts';
import { usePagedSearch } from '../../lib/use-paged-search.ts';

const STATUSES = { '': 'All', Pending: 'Pending', Running: 'Running', Finished: 'Finished', Failed: 'Failed' };

const columnsOf = (batch: Batch): Column<BatchJob>[] => [
  {
    label: 'Game',
    cell: (job) =>
      typeof job.game_number === 'number'
        ? `#${job.game_number}${job.rotation ? `, rotation ${job.rotation}` : ''}`
        : '—',
  },
  { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
  {
    label: 'Status',
    cell: (job) => (
      <JobState status={job.status} progress={{ hands_done: job.hands_done ?? 0, num_rounds: batch.num_rounds ?? 0 }} />
    ),
  },
  { label: 'Participants', cell: (job) => job.users_to_run.join(', ') },
  {
    label: 'Result/Error',
    cell: (job) => (
      <JobOutcome status={job.status} error={job.error_message} results={job.result_data} {...faultsOf(job)} />
    ),
  },
];

export function BatchJobs({ batch }: { batch: Batch }) {
  const search = usePagedSearch({ status: '' });
  const { filters, query, change } = search;
  const jobs = usePagedList({
    queryKey: [...queryKeys.batchJobs(batch.batch_id), query],
    search,
    fetch: async (paging, signal) => {
      const response = await api.get('/llm/batch/{id}/jobs', {
        params: { id: batch.batch_id },
        query: { ...query, ...paging },
        signal,
      });
      return { items: response.jobs, total: response.total_count };
    },
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <div className="stack">
      <ChoiceField label="Status" value={filters.status} choices={STATUSES} onChoose={(status) => change({ status })} />
      <PagedRows list={jobs} noun="jobs" empty="No batch jobs found">
        {(rows) => (
          <Table caption="Jobs of the batch" columns={columnsOf(batch)} rows={rows} rowKey={(job) => job.job_id} />
        )}
      </PagedRows>
    </div>
  );
}
