// Further nodes of the test cluster (k8s/cluster/node.sh) and what runs on them.
import { join } from 'node:path';
import { call, kubectl, namespace, root, runnersNamespace, until } from './cluster.ts';
import { type Platform, playing } from './platform.ts';

/** Calls k8s/cluster/node.sh. */
export const node = (...args: string[]) => call(join(root, 'k8s/cluster/node.sh'), args, 300_000);

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

/** Returns the release's pods that have not ended. */
export async function allPods(): Promise<NodePod[]> {
  const lists = await Promise.all(
    [namespace, runnersNamespace].map((place) => kubectl('-n', place, 'get', 'pods', '-o', 'json')),
  );
  return lists
    .flatMap((text) => (JSON.parse(text) as PodList).items)
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      namespace: metadata.namespace,
      component: metadata.labels?.['app.kubernetes.io/component'] ?? '',
      node: spec.nodeName ?? '',
      address: status.podIP ?? '',
      ready: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
      deleting: metadata.deletionTimestamp !== undefined,
    }));
}

/** Returns the pods of a part that are not being deleted. */
export const podsOf = async (component: string) =>
  (await allPods()).filter((pod) => pod.component === component && !pod.deleting);

/** Waits until matches are in play and one of them on this node. Returns the runners there that play. */
export async function playingOn(platform: Platform, where: string, jobs: readonly string[]): Promise<string[]> {
  await playing(platform, jobs, jobs.length - 1);
  return until(
    `a match in play on ${where}`,
    60,
    async () => {
      const there = new Set((await podsOf('runner')).filter((pod) => pod.node === where).map(({ name }) => name));
      const all = await platform.containers();
      return all
        .filter(({ state, container_name }) => state === 'active' && there.has(container_name))
        .map(({ container_name }) => container_name);
    },
    (names) => names.length > 0,
  );
}
