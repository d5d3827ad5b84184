import { ChoiceField, SearchField } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { Tournament2025Button } from '../../components/tournament-2025-button.tsx';
import { api } from '../../lib/api.ts';
import { usePagedList, usePagedSearch } from '../../lib/paged-list.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';

const STATUSES = { '': 'All', Pending: 'Pending', Running: 'Running', Finished: 'Finished', Failed: 'Failed' };

export function JobList() {
  const search = usePagedSearch({ q: '', status: '' });
  const { filters, query, change } = search;
  const jobs = usePagedList({
    queryKey: [...queryKeys.adminJobs, query],
    search,
    fetch: (paging, signal) => api.getList('/admin/jobs', { query: { ...query, ...paging, order: 'running' }, signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });

  return (
    <Panel title="ALL SYSTEM JOBS" flush>
      <div className="panel-body field-grid">
        <SearchField label="Search by job ID" value={filters.q} onSearch={(q) => change({ q })} />
        <ChoiceField
          label="Status"
          value={filters.status}
          choices={STATUSES}
          onChoose={(status) => change({ status })}
        />
      </div>
      <PagedRows list={jobs} noun="jobs" empty="No simulation jobs found">
        {(rows) => (
          <JobTable
            caption="All system jobs"
            jobs={rows}
            extra={[
              {
                label: '2025 Leaderboard',
                cell: (job) => <Tournament2025Button job={job} />,
              },
            ]}
          />
        )}
      </PagedRows>
    </Panel>
  );
}
