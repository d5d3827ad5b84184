import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { AutoscalingPanel } from './autoscaling-panel.tsx';
import { LogViewer } from './log-viewer.tsx';
import { SandboxPanel } from './sandbox-panel.tsx';
import { PoolPanel, ScaleForm } from './scale-form.tsx';
import { ScalingJobs } from './scaling-jobs.tsx';

export function ContainersPage() {
  return (
    <Page title="Container Manager" width="wide" before={<BackLink to="/admin">Admin Dashboard</BackLink>}>
      <div className="columns columns-lead">
        <PoolPanel />
        <ScaleForm />
      </div>
      <AutoscalingPanel />
      <SandboxPanel />
      <ScalingJobs />
      <LogViewer />
    </Page>
  );
}
