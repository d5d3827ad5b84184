import { BackLink, Page } from '../../components/page.tsx';
import { AutoscalingPanel } from './autoscaling-panel.tsx';
import { LogViewer } from './log-viewer.tsx';
import { SandboxPanel } from './sandbox-panel.tsx';
import { PoolPanel, ScaleForm, ScalingJobs } from './scale-form.tsx';

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
