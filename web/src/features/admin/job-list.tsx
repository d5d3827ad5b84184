import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { rangeText } from '../../lib/page-window.ts';
import { POLL_ADMIN_DASHBOARD_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob } from '../../lib/types.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Tournament2025Cell } from './tournament-2025-cell.tsx';

const PAGE_SIZE = 25;
const SEARCH_DELAY_MS = 300;
const STATUSES = ['Pending', 'Running', 'Finished', 'Failed'];

export function JobList() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [page, setPage] = useState(1);
  const query = useDebounced(search.trim(), SEARCH_DELAY_MS);
  const jobs = useQuery({
    queryKey: [...queryKeys.adminJobs, query, status, page],
    queryFn: ({ signal }) =>
      api.getList<AdminJob>('/admin/jobs', { query: { q: query, status, page, page_size: PAGE_SIZE }, signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
    placeholderData: keepPreviousData,
  });
  const total = jobs.data?.total ?? 0;

  return (
    <Panel title="ALL SYSTEM JOBS" flush>
      <div className="panel-body field-grid">
        <TextField
          label="Search by job ID"
          type="search"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(1);
          }}
        />
        <SelectField
          label="Status"
          value={status}
          onChange={(event) => {
            setStatus(event.target.value);
            setPage(1);
          }}
        >
          <option value="">All</option>
          {STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
      {jobs.isPending && <Loading inline />}
      {jobs.isError && (
        <div className="panel-body">
          <ErrorBox text={`Failed to load jobs. ${messageOf(jobs.error)}`} onRetry={() => void jobs.refetch()} />
        </div>
      )}
      {jobs.data && jobs.data.items.length === 0 && <EmptyState title="No simulation jobs found" />}
      {jobs.data && jobs.data.items.length > 0 && (
        <>
          <JobTable
            caption="All system jobs"
            jobs={jobs.data.items}
            staleKey={queryKeys.adminJobs}
            extra={[{ label: '2025 Leaderboard', cell: (job) => <Tournament2025Cell job={job} /> }]}
          />
          <div className="panel-body stack">
            <p className="muted" role="status">
              {rangeText(page, PAGE_SIZE, total)} jobs
            </p>
            <Pagination label="Pages of jobs" page={page} totalPages={Math.ceil(total / PAGE_SIZE)} onPage={setPage} />
          </div>
        </>
      )}
    </Panel>
  );
}
