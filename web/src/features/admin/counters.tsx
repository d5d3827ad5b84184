import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/feedback.tsx';
import { Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';

export function Counters() {
  const counts = useQuery({
    queryKey: queryKeys.adminCounts,
    queryFn: async ({ signal }) => {
      const [users, jobs, submissions] = await Promise.all([
        api.get('/admin/user-count', { signal }),
        api.get('/admin/job-count', { signal }),
        api.get('/admin/submission-count', { signal }),
      ]);
      return {
        users: users.user_count,
        verified: users.verified_count,
        jobs: jobs.job_count,
        submissions: submissions.submission_count,
      };
    },
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });
  const show = (value: number | undefined) => (value === undefined ? '…' : formatNumber(value));
  return (
    <>
      {counts.isError && <LoadError what="the counts" query={counts} />}
      <Stats
        items={[
          { label: 'Total Users', value: show(counts.data?.users) },
          { label: 'Verified Users', value: show(counts.data?.verified) },
          { label: 'Jobs', value: show(counts.data?.jobs) },
          { label: 'Submissions', value: show(counts.data?.submissions) },
        ]}
      />
    </>
  );
}
