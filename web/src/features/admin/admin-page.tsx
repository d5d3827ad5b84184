import { ButtonLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { Counters } from './counters.tsx';
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
