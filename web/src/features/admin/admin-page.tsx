import { ButtonLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { Counters } from './counters.tsx';
import { EventSettingsPanel } from './event-settings.tsx';
import { JobList } from './job-list.tsx';
import { UserList } from './user-list.tsx';

export function AdminPage() {
  return (
    <Page
      title="Admin Dashboard"
      width="wide"
      actions={
        <>
          <ButtonLink to="/simulation" variant="secondary">
            Simulation
          </ButtonLink>
          <ButtonLink to="/llm-batch" variant="secondary">
            LLM Batch
          </ButtonLink>
          <ButtonLink to="/container-manager" variant="secondary">
            Container Manager
          </ButtonLink>
          <ButtonLink to="/admin/games" variant="secondary">
            Games
          </ButtonLink>
          <ButtonLink to="/admin/audit" variant="secondary">
            Audit Log
          </ButtonLink>
          <ButtonLink to="/admin/parked" variant="secondary">
            Parked Messages
          </ButtonLink>
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
