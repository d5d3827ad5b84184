// Nodes of the test cluster (scripts/proof/cluster/node.sh) and the pods on them.
import { join } from 'node:path';
import { call, kubectl, namespace, root, runnersNamespace, waitUntil } from './cluster.ts';
import { type Platform, waitUntilPlaying } from './platform.ts';

/** Calls scripts/proof/cluster/node.sh. */
export const node = (...args: string[]) => call(join(root, 'scripts/proof/cluster/node.sh'), args, 300_000);

export interface NodePod {
  readonly name: string;
  readonly namespace: string;
  readonly component: string;
  readonly node: string;
  readonly address: string;
  readonly ready: boolean;
  readonly deleting: boolean;
}

interface PodList {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly deletionTimestamp?: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: { readonly nodeName?: string };
    readonly status: {
      readonly phase: string;
      readonly podIP?: string;
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  }[];
}

/** Returns the pods of a release that have not ended; default: the release of most steps. */
export async function allPods(namespaces = [namespace, runnersNamespace]): Promise<NodePod[]> {
  const lists = await Promise.all(namespaces.map((ns) => kubectl('-n', ns, 'get', 'pods', '-o', 'json')));
  return lists
    .flatMap((text) => (JSON.parse(text) as PodList).items)
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      namespace: metadata.namespace,
      component: metadata.labels?.['app.kubernetes.io/component'] ?? '',
      node: spec.nodeName ?? '',
      address: status.podIP ?? '',
      ready: status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true,
      deleting: metadata.deletionTimestamp !== undefined,
    }));
}

/** Returns the pods of a component that are not being deleted. `namespaces` as of `allPods`. */
export const podsOf = async (component: string, namespaces?: string[]) =>
  (await allPods(namespaces)).filter((pod) => pod.component === component && !pod.deleting);

/** Waits until a component has exactly `count` pods, all ready and none of them `replaced`. Returns their names. */
export async function waitForPods(
  component: string,
  count: number,
  { within = namespace, replaced = '' }: { readonly within?: string; readonly replaced?: string } = {},
): Promise<string[]> {
  const pods = await waitUntil(
    `${count} ready pods of ${component}`,
    150,
    () => podsOf(component, [within]),
    (all) => all.length === count && all.every(({ name, ready }) => ready && name !== replaced),
  );
  return pods.map(({ name }) => name);
}

/** Waits until matches are in play, at least one of them on this node. Returns the names of the busy runners on the node. */
export async function waitUntilPlayingOn(
  platform: Platform,
  where: string,
  jobs: readonly string[],
): Promise<string[]> {
  await waitUntilPlaying(platform, jobs, jobs.length - 1);
  return waitUntil(
    `a match in play on ${where}`,
    60,
    async () => {
      const onNode = new Set((await podsOf('runner')).filter((pod) => pod.node === where).map(({ name }) => name));
      const all = await platform.containers();
      return all
        .filter(({ state, container_name }) => state === 'active' && onNode.has(container_name))
        .map(({ container_name }) => container_name);
    },
    (names) => names.length > 0,
  );
}
