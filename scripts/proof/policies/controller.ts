// Enforces NetworkPolicies on the test cluster: translates them into nftables rules in the network namespace of each node. A test tool
// for clusters of scripts/proof/cluster, not a network plugin: it lists objects once a second, so a new pod may be unprotected for that time. It does
// not watch them, because the client's watch returns objects in which a rule's `from` is not renamed to `_from`.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { CoreV1Api, KubeConfig, NetworkingV1Api, type V1Pod } from '@kubernetes/client-node';
import type { Cluster, Pod } from './network-policy.ts';
import { createRuleset, table } from './nftables.ts';

/** A pod with its own address, and its node. */
export interface PlacedPod extends Pod {
  readonly node: string;
}

interface PlacedCluster extends Cluster {
  readonly pods: readonly PlacedPod[];
}

/** Returns nsenter's argument for the network namespace of a node; node1 uses that of the machine. */
const networkOf = (node: string) => `--net=${node === 'node1' ? '/proc/self/ns/net' : `/run/netns/husky-${node}`}`;

function nft(node: string, script: string): void {
  const { status, stderr } = spawnSync('nsenter', [networkOf(node), 'nft', '-f', '-'], {
    input: script,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`nft on ${node}: ${stderr}`);
}

function toPlaced({ metadata, spec, status }: V1Pod): PlacedPod[] {
  if (status?.podIP === undefined || spec?.nodeName === undefined || spec.hostNetwork === true) return [];
  // The address of a pod that has ended may belong to another pod now.
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return [];
  const { namespace = '', name = '', labels = {} } = metadata ?? {};
  return [{ namespace, name, labels, address: status.podIP, node: spec.nodeName }];
}

/** Applies the cluster's NetworkPolicies to its nodes. */
export class PolicyController {
  readonly #core: CoreV1Api;
  readonly #networking: NetworkingV1Api;
  readonly #applied = new Map<string, string>();

  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    this.#core = config.makeApiClient(CoreV1Api);
    this.#networking = config.makeApiClient(NetworkingV1Api);
  }

  /** Lists the cluster's namespaces, pods and policies. */
  async read(): Promise<PlacedCluster> {
    const [namespaces, pods, policies] = await Promise.all([
      this.#core.listNamespace(),
      this.#core.listPodForAllNamespaces(),
      this.#networking.listNetworkPolicyForAllNamespaces(),
    ]);
    return {
      namespaces: new Map(namespaces.items.map(({ metadata }) => [metadata?.name ?? '', metadata?.labels ?? {}])),
      pods: pods.items.flatMap(toPlaced),
      policies: policies.items,
    };
  }

  /** Replaces the rules on these nodes if they have changed. Each node enforces the policies of its own pods. */
  async apply(nodes: readonly string[]): Promise<void> {
    const cluster = await this.read();
    for (const node of nodes) {
      const names = new Set(
        cluster.pods.filter((pod) => pod.node === node).map(({ namespace, name }) => `${namespace}/${name}`),
      );
      const script = createRuleset(cluster, ({ namespace, name }) => names.has(`${namespace}/${name}`));
      if (this.#applied.get(node) === script) continue;
      nft(node, script);
      this.#applied.set(node, script);
    }
  }

  /** Applies the policies every second until the signal is aborted, then removes all rules. Throws if nft refuses the rules. */
  async run(nodes: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await this.apply(nodes);
        await pause(1000, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.remove(nodes);
    }
  }

  /** Removes all rules from these nodes. Idempotent. */
  remove(nodes: readonly string[]): void {
    for (const node of nodes) {
      spawnSync('nsenter', [networkOf(node), 'nft', `add table ${table}; delete table ${table}`]);
    }
    this.#applied.clear();
  }
}
