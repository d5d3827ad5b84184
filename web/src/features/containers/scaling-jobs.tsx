import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob, ScalingJob } from '../../lib/types.ts';

export function ScalingJobs() {
  const jobs = useQuery({
    queryKey: queryKeys.scalingJobs,
    queryFn: ({ signal }) =>
      api.get<ScalingJob[]>('/admin/scaling-jobs', { query: { page: 1, page_size: 50 }, signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="ACTIVE SCALING JOBS" flush>
      {jobs.isPending && <Loading inline />}
      {jobs.isError && (
        <div className="panel-body">
          <ErrorBox
            text={`Failed to load scaling jobs. ${messageOf(jobs.error)}`}
            onRetry={() => void jobs.refetch()}
          />
        </div>
      )}
      {jobs.data?.length === 0 && <EmptyState title="No scaling jobs found" />}
      {jobs.data && jobs.data.length > 0 && (
        <JobTable
          caption="Scaling jobs"
          jobs={jobs.data}
          plain
          extra={[
            { label: 'Size', cell: sizeText },
            { label: 'Started', cell: (job) => formatTime(job.created_at) },
          ]}
        />
      )}
    </Panel>
  );
}

function sizeText(job: AdminJob): string {
  const { from_size: from, target_size: target, current_size: current } = job as ScalingJob;
  return `${from} → ${target}${current === target ? '' : ` (now ${current})`}`;
}
