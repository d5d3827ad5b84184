import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { api } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob, ScalingJob } from '../../lib/types.ts';
import { usePagedList } from '../../lib/use-paged-list.ts';

export function ScalingJobs() {
  const jobs = usePagedList({
    queryKey: queryKeys.scalingJobs,
    fetch: (paging, signal) => api.getList('/admin/scaling-jobs', { query: paging, signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="ACTIVE SCALING JOBS" flush>
      <PagedRows list={jobs} noun="scaling jobs" empty="No scaling jobs found">
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
  if (target === undefined) return '—';
  return `${from} → ${target}${current === target ? '' : ` (now ${current})`}`;
}
