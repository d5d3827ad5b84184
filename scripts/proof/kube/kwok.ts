// Simulates nodes of the test cluster with kwok: their pods exist only in the API server and are ready immediately.
import { join } from 'node:path';
import { apply, cache, call, kubeconfig, kubectl, root, runnersNamespace, start, waitUntil } from './cluster.ts';

const nodes = Array.from({ length: 10 }, (_, number) => `kwok-${number + 1}`);
const annotation = 'kwok.x-k8s.io/node';

/** Label of the nodes that runners may use: node1 and the simulated ones. */
export const runnerNodeLabel = 'husky-holdem/runners';
/** Taint of the simulated nodes. */
export const simulatedNodeTaint = { key: annotation, value: 'fake', effect: 'NoSchedule' };

export const isSimulated = (node: string) => nodes.includes(node);

/** Labels node1 as a node for runners. */
export const labelRunnerNode = () => kubectl('label', 'node', 'node1', `${runnerNodeLabel}=true`, '--overwrite');

/** Builds kwok if it is missing, starts it and ten nodes with room for 110 runners each. Returns a function that stops kwok. */
export async function startSimulatedNodes(): Promise<() => void> {
  await call(join(root, 'scripts/proof/cluster/build.sh'), ['kwok'], 15 * 60_000);
  const kwok = start('kwok', [
    `--kubeconfig=${kubeconfig}`,
    `--config=${join(cache, 'bin/kwok-stages.yaml')}`,
    '--manage-all-nodes=false',
    `--manage-nodes-with-annotation-selector=${annotation}=fake`,
    '--node-lease-duration-seconds=40',
  ]);
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  const items = nodes.map((name) => {
    const labels = { [runnerNodeLabel]: 'true', 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'kwok' };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels, annotations: { [annotation]: 'fake' } },
      spec: { taints: [simulatedNodeTaint] },
      status: { allocatable: capacity, capacity },
    };
  });
  apply({ apiVersion: 'v1', kind: 'List', items });
  await waitUntil(
    `${nodes.length} simulated nodes ready`,
    60,
    async () => {
      if (kwok.child.exitCode !== null) throw new Error(`kwok ended: ${kwok.readOutput().slice(-300)}`);
      return kubectl('get', 'nodes', '--no-headers', ...nodes);
    },
    (text) => (text.match(/ Ready /g) ?? []).length === nodes.length,
  );
  return () => void kwok.child.kill();
}

/** Removes the simulated nodes and their pods, and uncordons and unlabels node1. Idempotent; does not need kwok. */
export async function removeSimulatedNodes(): Promise<void> {
  await kubectl('uncordon', 'node1');
  await kubectl('label', 'node', 'node1', `${runnerNodeLabel}-`);
  for (const node of nodes) {
    const onNode = ['pods', '--field-selector', `spec.nodeName=${node}`];
    await kubectl('-n', runnersNamespace, 'delete', ...onNode, '--force', '--grace-period=0', '--wait=false');
  }
  await kubectl('delete', 'node', '--ignore-not-found', ...nodes);
}
