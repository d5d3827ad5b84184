// Evaluates NetworkPolicies as the Kubernetes API defines them. Named ports and IPv6 are not supported, because the chart uses neither.
import { BlockList, isIPv4 } from 'node:net';
import type {
  V1LabelSelector,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
} from '@kubernetes/client-node';

export interface Pod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
}

export interface Cluster {
  /** Labels by name. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly pods: readonly Pod[];
  readonly policies: readonly V1NetworkPolicy[];
}

export type Direction = 'ingress' | 'egress';
export type Protocol = 'TCP' | 'UDP';

export interface Ports {
  readonly protocol: Protocol;
  readonly first: number;
  readonly last: number;
}

export interface Block {
  readonly cidr: string;
  readonly except: readonly string[];
}

/** Permits connections with these peers on these ports. undefined: all peers, or all ports. */
export interface Rule {
  readonly peers: { readonly addresses: readonly string[]; readonly blocks: readonly Block[] } | undefined;
  readonly ports: readonly Ports[] | undefined;
}

/** Returns a pod's rules for one direction; undefined if no policy selects the pod, so that everything is permitted. */
export function rulesOf(cluster: Cluster, pod: Pod, direction: Direction): Rule[] | undefined {
  const policies = cluster.policies.filter(
    (policy) =>
      policy.metadata?.namespace === pod.namespace &&
      matches(policy.spec?.podSelector ?? {}, pod.labels) &&
      directionsOf(policy).includes(direction),
  );
  if (policies.length === 0) return undefined;
  return policies.flatMap(({ metadata, spec }) => {
    const namespace = metadata?.namespace ?? '';
    if (direction === 'ingress') {
      return (spec?.ingress ?? []).map((rule) => toRule(cluster, namespace, rule._from, rule.ports));
    }
    return (spec?.egress ?? []).map((rule) => toRule(cluster, namespace, rule.to, rule.ports));
  });
}

/** Returns whether the policies permit a connection from a pod to an address inside or outside of the cluster. */
export function permits(cluster: Cluster, from: Pod, to: string, port: number, protocol: Protocol = 'TCP'): boolean {
  const target = cluster.pods.find(({ address }) => address === to);
  const egress = rulesOf(cluster, from, 'egress');
  const ingress = target === undefined ? undefined : rulesOf(cluster, target, 'ingress');
  return (
    (egress === undefined || egress.some((rule) => applies(rule, to, port, protocol))) &&
    (ingress === undefined || ingress.some((rule) => applies(rule, from.address, port, protocol)))
  );
}

function applies({ peers, ports }: Rule, address: string, port: number, protocol: Protocol): boolean {
  const portMatches =
    ports?.some((range) => range.protocol === protocol && range.first <= port && port <= range.last) ?? true;
  const peerMatches =
    peers === undefined || peers.addresses.includes(address) || peers.blocks.some((block) => isInBlock(block, address));
  return portMatches && peerMatches;
}

function isInBlock({ cidr, except }: Block, address: string): boolean {
  return isInRange(cidr, address) && !except.some((excluded) => isInRange(excluded, address));
}

function isInRange(cidr: string, address: string): boolean {
  const [network = '', bits = '32'] = cidr.split('/');
  if (!isIPv4(network)) throw new Error(`${cidr} is not supported: only IPv4 is`);
  const list = new BlockList();
  list.addSubnet(network, Number(bits), 'ipv4');
  return list.check(address);
}

function directionsOf({ spec }: V1NetworkPolicy): Direction[] {
  const types = spec?.policyTypes ?? ['Ingress', ...(spec?.egress === undefined ? [] : ['Egress'])];
  return types.map((type) => (type === 'Ingress' ? 'ingress' : 'egress'));
}

function toRule(
  cluster: Cluster,
  namespace: string,
  peers: readonly V1NetworkPolicyPeer[] = [],
  ports: readonly V1NetworkPolicyPort[] = [],
): Rule {
  return {
    peers:
      peers.length === 0
        ? undefined
        : {
            addresses: [...new Set(peers.flatMap((peer) => addressesOf(cluster, namespace, peer)))],
            blocks: peers.flatMap(({ ipBlock }) =>
              ipBlock === undefined ? [] : [{ cidr: ipBlock.cidr, except: ipBlock.except ?? [] }],
            ),
          },
    ports: ports.length === 0 ? undefined : ports.map(toPorts),
  };
}

function addressesOf(cluster: Cluster, namespace: string, peer: V1NetworkPolicyPeer): string[] {
  if (peer.ipBlock !== undefined) return [];
  return cluster.pods
    .filter(
      (pod) =>
        (peer.namespaceSelector === undefined
          ? pod.namespace === namespace
          : matches(peer.namespaceSelector, cluster.namespaces.get(pod.namespace) ?? {})) &&
        matches(peer.podSelector ?? {}, pod.labels),
    )
    .map(({ address }) => address);
}

function toPorts({ port, endPort, protocol = 'TCP' }: V1NetworkPolicyPort): Ports {
  if (typeof port === 'string') throw new Error(`the named port ${port} is not supported`);
  if (protocol !== 'TCP' && protocol !== 'UDP') throw new Error(`${protocol} is not supported`);
  return { protocol, first: port ?? 0, last: endPort ?? port ?? 65_535 };
}

/** Returns whether the labels match the selector. An empty selector matches all labels. */
export function matches(selector: V1LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return (value !== undefined) === (operator === 'Exists');
    })
  );
}
