import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { api } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob, ScalingJob } from '../../lib/types.ts';

const PAGE_SIZE = 25;

export function ScalingJobs() {
  const [page, setPage] = useState(1);
  const jobs = useQuery({
    queryKey: [...queryKeys.scalingJobs, page],
    queryFn: ({ signal }) => api.getList('/admin/scaling-jobs', { query: { page, page_size: PAGE_SIZE }, signal }),
    refetchInterval: POLL_ADMIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="ACTIVE SCALING JOBS" flush>
      <PagedRows
        query={jobs}
        noun="scaling jobs"
        empty="No scaling jobs found"
        page={page}
        pageSize={PAGE_SIZE}
        onPage={setPage}
      >
        {(rows) => (
          <JobTable
            caption="Scaling jobs"
            jobs={rows}
            plain
            extra={[
              { label: 'Size', cell: sizeText },
              { label: 'Started', cell: (job) => formatTime(job.created_at) },
            ]}
          />
        )}
      </PagedRows>
    </Panel>
  );
}

function sizeText(job: AdminJob): string {
  const { from_size: from, target_size: target, current_size: current } = job as ScalingJob;
  return `${from} → ${target}${current === target ? '' : ` (now ${current})`}`;
}
