import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { LoadError } from '../../components/feedback.tsx';
import { Page, Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';
import { EventSettingsPanel } from './event-settings.tsx';
import { JobList } from './job-list.tsx';
import { UserList } from './user-list.tsx';

const PAGES = [
  ['/simulation', 'Simulation'],
  ['/llm-batch', 'LLM Batch'],
  ['/container-manager', 'Container Manager'],
  ['/admin/games', 'Games'],
  ['/admin/audit', 'Audit Log'],
] as const;

export function AdminPage() {
  return (
    <Page
      title="Admin Dashboard"
      width="wide"
      actions={
        <>
          {PAGES.map(([to, label]) => (
            <ButtonLink key={to} to={to} variant="secondary">
              {label}
            </ButtonLink>
          ))}
          <ButtonLink to="#event-settings" variant="ghost">
            Event Settings
          </ButtonLink>
        </>
      }
    >
      <Counters />
      <UserList />
      <JobList />
      <EventSettingsPanel />
    </Page>
  );
}

function Counters() {
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
