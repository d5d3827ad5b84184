import { services, tryKubectl, until } from './cluster.ts';
import { allPods, node, podsOf } from './nodes.ts';
import type { Platform } from './platform.ts';
import type { Step } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

/** Arguments of helm for two replicas of each service. */
export const twice = services.flatMap((service) => ['--set', `services.${service}.replicas=2`]);

/** Upgrades the release, keeping two replicas of each service. */
export const upgrade = (...more: readonly string[]) => upgradeWithin('6m', ...twice, ...more);

/** Waits until as many runners as requested are ready and have requested work, not counting those on the node that is `gone`. */
export async function runnersComplete(platform: Platform, size: number, maxSeconds: number, gone = ''): Promise<void> {
  await until(
    `${size} runners at work`,
    maxSeconds,
    async () => {
      const ready = (await podsOf('runner')).filter((pod) => pod.ready && pod.node !== gone).map(({ name }) => name);
      const shown = (await platform.containers()).filter(({ state }) => !['starting', 'stopping'].includes(state));
      return { ready, shown: shown.map(({ container_name }) => container_name).filter((name) => ready.includes(name)) };
    },
    ({ ready, shown }) => ready.length === size && shown.length === size,
  );
}

/** Throws unless the replicas of each service are on both nodes. */
export async function servicesSpread(): Promise<void> {
  const pods = (await allPods()).filter(({ deleting }) => !deleting);
  for (const service of services) {
    const nodes = pods.filter(({ component }) => component === service).map((pod) => pod.node);
    if (new Set(nodes).size !== 2) throw new Error(`${service} is on ${nodes.join(', ')}`);
  }
}

/** A second node on this machine. */
export const nodeSteps = (platform: Platform): Step[] => [
  {
    name: 'nodes: a second node in a zone of its own is ready and has the images',
    needed: true,
    async run() {
      if (!(await node('list')).split('\n').includes('node2')) await node('add', 'node2', '--zone', 'zone2');
      await node('images', 'node2');
      return tryKubectl('get', 'nodes', '--no-headers').text.replaceAll(/\s+/g, ' ');
    },
  },
  {
    name: 'nodes: two replicas of each service spread over two nodes and zones, six runners three to three',
    async run() {
      await upgrade();
      await platform.scaled(6, 200);
      await runnersComplete(platform, 6, 120);
      await servicesSpread();
      const there = (await podsOf('runner')).filter((pod) => pod.node === 'node2').length;
      if (there !== 3) throw new Error(`${there} of 6 runners are on node2`);
      return `${services.length} services`;
    },
  },
];
