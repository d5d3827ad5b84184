import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { Container } from '../../lib/types.ts';
import { useContainers } from './pool-rules.ts';

const MAX_NAMES = 20;

/** Shows the sandbox mechanisms of each runner. The log viewer makes the same request and shows its failure. */
export function SandboxPanel() {
  const containers = useContainers().data ?? [];
  return (
    <Panel title="SANDBOX">
      <SandboxList containers={containers} />
    </Panel>
  );
}

/** Shows one entry per group of runners with equal sandboxes. */
export function SandboxList({ containers }: { containers: readonly Container[] }) {
  const groups = Map.groupBy(containers, ({ sandbox }) => JSON.stringify(sandbox));
  return (
    <div className="stack">
      {[...groups].map(([key, runners]) => (
        <SandboxEntry key={key} runners={runners} />
      ))}
    </div>
  );
}

function SandboxEntry({ runners }: { runners: readonly Container[] }) {
  const more = runners.length - MAX_NAMES;
  const named = runners.slice(0, MAX_NAMES).map(({ container_name: name }) => name);
  const names = `${named.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
  const sandbox = runners[0]?.sandbox;
  if (!sandbox) {
    return (
      <p>
        {names}: <Badge color="grey">Not known yet</Badge> <span className="muted">See the log.</span>
      </p>
    );
  }
  const { means, missing, lacking } = sandbox;
  const absent = missing.length + lacking.length;
  const color = missing.length > 0 ? 'red' : absent > 0 ? 'yellow' : 'green';
  return (
    <div className="stack stack-tight">
      <p>
        {names}: <Badge color={color}>{absent === 0 ? 'All means' : `${absent} absent`}</Badge>{' '}
        <span className="muted">In force: {means.join(', ') || 'none'}.</span>
      </p>
      {missing.map((sentence) => (
        <p key={sentence}>Required but missing: {sentence}</p>
      ))}
      {lacking.map((sentence) => (
        <p key={sentence}>Absent: {sentence}</p>
      ))}
    </div>
  );
}
