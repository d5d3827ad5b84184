import { services, tryKubectl, waitUntil } from './cluster.ts';
import { allPods, node, podsOf } from './nodes.ts';
import type { Platform } from './platform.ts';
import type { Step } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

/** Helm arguments for two replicas of each service. */
export const twoReplicas = services.flatMap((service) => ['--set', `services.${service}.replicas=2`]);

/** Upgrades the release, keeping two replicas of each service. */
export const upgrade = (...flags: readonly string[]) => upgradeWithin('6m', ...twoReplicas, ...flags);

/** Waits until exactly `size` runners are ready and have requested work, not counting those on `lostNode`. */
export async function waitForRunners(
  platform: Platform,
  size: number,
  maxSeconds: number,
  lostNode = '',
): Promise<void> {
  await waitUntil(
    `${size} runners that have requested work`,
    maxSeconds,
    async () => {
      const ready = (await podsOf('runner'))
        .filter((pod) => pod.ready && pod.node !== lostNode)
        .map(({ name }) => name);
      const shown = (await platform.containers()).filter(({ state }) => !['starting', 'stopping'].includes(state));
      return { ready, shown: shown.map(({ container_name }) => container_name).filter((name) => ready.includes(name)) };
    },
    ({ ready, shown }) => ready.length === size && shown.length === size,
  );
}

/** Throws unless each service has replicas on both nodes. */
export async function verifyServicesSpread(): Promise<void> {
  const pods = (await allPods()).filter(({ deleting }) => !deleting);
  for (const service of services) {
    const nodes = pods.filter(({ component }) => component === service).map((pod) => pod.node);
    if (new Set(nodes).size !== 2) throw new Error(`${service} is on ${nodes.join(', ')}`);
  }
}

/** Steps that add a second node on this machine. */
export const nodeSteps = (platform: Platform): Step[] => [
  {
    name: 'nodes: a second node in a zone of its own is ready and has the images',
    required: true,
    async run() {
      if (!(await node('list')).split('\n').includes('node2')) await node('add', 'node2', '--zone', 'zone2');
      await node('images', 'node2');
      return tryKubectl('get', 'nodes', '--no-headers').text.replaceAll(/\s+/g, ' ');
    },
  },
  {
    name: 'nodes: two replicas of each service and six runners are spread evenly over two nodes and zones',
    async run() {
      await upgrade();
      await platform.scaleAndWait(6, 200);
      await waitForRunners(platform, 6, 120);
      await verifyServicesSpread();
      const count = (await podsOf('runner')).filter((pod) => pod.node === 'node2').length;
      if (count !== 3) throw new Error(`${count} of 6 runners are on node2`);
      return `${services.length} services`;
    },
  },
];
