// Further nodes of the test cluster (k8s/cluster/node.sh) and what runs on them.
import { join } from 'node:path';
import { call, kubectl, namespace, root, runnersNamespace } from './cluster.ts';

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
