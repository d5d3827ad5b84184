// Simulated nodes of kwok on the test cluster: their pods exist at the API server only, and are ready at once.
import { join } from 'node:path';
import { apply, cache, call, kubeconfig, kubectl, root, runnersNamespace, start, until } from './cluster.ts';

const nodes = Array.from({ length: 10 }, (_, number) => `kwok-${number + 1}`);
const annotation = 'kwok.x-k8s.io/node';

/** Label of the nodes that runners may use: node1 and the simulated ones. */
export const forRunners = 'husky-holdem/runners';
/** Taint of the simulated nodes. */
export const simulated = { key: annotation, value: 'fake', effect: 'NoSchedule' };

export const isSimulated = (node: string) => nodes.includes(node);

/** Labels node1 as a node for runners. */
export const admitRunners = () => kubectl('label', 'node', 'node1', `${forRunners}=true`, '--overwrite');

/** Builds kwok once, and starts it and ten nodes with room for 110 runners each. Returns a function that ends kwok. */
export async function startNodes(): Promise<() => void> {
  await call(join(root, 'k8s/cluster/build.sh'), ['kwok'], 15 * 60_000);
  const kwok = start('kwok', [
    ...[`--kubeconfig=${kubeconfig}`, `--config=${join(cache, 'bin/kwok-stages.yaml')}`],
    ...['--manage-all-nodes=false', `--manage-nodes-with-annotation-selector=${annotation}=fake`],
    '--node-lease-duration-seconds=40',
  ]);
  const room = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  const items = nodes.map((name) => {
    const labels = { [forRunners]: 'true', 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'kwok' };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels, annotations: { [annotation]: 'fake' } },
      spec: { taints: [simulated] },
      status: { allocatable: room, capacity: room },
    };
  });
  apply({ apiVersion: 'v1', kind: 'List', items });
  await until(
    `${nodes.length} simulated nodes ready`,
    60,
    async () => {
      if (kwok.child.exitCode !== null) throw new Error(`kwok ended: ${kwok.soFar().slice(-300)}`);
      return kubectl('get', 'nodes', '--no-headers', ...nodes);
    },
    (text) => (text.match(/ Ready /g) ?? []).length === nodes.length,
  );
  return () => void kwok.child.kill();
}

/** Removes the nodes with their pods, and the marks of node1. Idempotent; does not need kwok. */
export async function removeNodes(): Promise<void> {
  await kubectl('uncordon', 'node1');
  await kubectl('label', 'node', 'node1', `${forRunners}-`);
  for (const node of nodes) {
    const there = ['pods', '--field-selector', `spec.nodeName=${node}`];
    await kubectl('-n', runnersNamespace, 'delete', ...there, '--force', '--grace-period=0', '--wait=false');
  }
  await kubectl('delete', 'node', '--ignore-not-found', ...nodes);
}
