import { type Cluster, type Direction, type Pod, type Ports, type Rule, rulesOf } from './network-policy.ts';

export const table = 'ip husky_policies';

/**
 * Returns the script for `nft -f` that replaces the rules of a node by those of its pods' policies in one transaction.
 * `isLocal`: whether a pod runs on this node.
 */
export function ruleset(cluster: Cluster, isLocal: (pod: Pod) => boolean = () => true): string {
  const chains: string[] = [];
  const jumps: Record<Direction, string[]> = { egress: [], ingress: [] };
  for (const pod of cluster.pods.filter(isLocal)) {
    for (const direction of ['egress', 'ingress'] as const) {
      const rules = rulesOf(cluster, pod, direction);
      if (rules === undefined) continue;
      const chain = `${direction}_${pod.address.replaceAll('.', '_')}`;
      jumps[direction].push(`${pod.address} : jump ${chain}`);
      chains.push(chainOf(chain, pod, direction, rules));
    }
  }
  const egress = jumps.egress.length === 0 ? [] : [`ip saddr vmap { ${jumps.egress.join(', ')} }`];
  const ingress = jumps.ingress.length === 0 ? [] : [`ip daddr vmap { ${jumps.ingress.join(', ')} }`];
  // What the node itself sends, such as probes, passes neither chain.
  const base = (hook: string, more: readonly string[]) =>
    block(`chain ${hook}`, [
      `type filter hook ${hook} priority filter; policy accept;`,
      'ct state established,related accept',
      ...more,
    ]);
  return [
    `add table ${table}`,
    `delete table ${table}`,
    block(`table ${table}`, [...chains, base('forward', [...egress, ...ingress]), base('input', egress)]),
    '',
  ].join('\n');
}

function chainOf(name: string, pod: Pod, direction: Direction, rules: readonly Rule[]): string {
  const side = direction === 'egress' ? 'daddr' : 'saddr';
  const lines = rules.flatMap((rule) =>
    peersOf(rule, side).flatMap((peers) => portsOf(rule).map((ports) => `${peers}${ports}return`)),
  );
  return block(`chain ${name}`, [...new Set(lines), `counter drop comment "${pod.name.slice(0, 100)}"`]);
}

/** Returns matches of nft, each of which is sufficient; '' matches every peer. */
function peersOf({ peers }: Rule, side: string): string[] {
  if (peers === undefined) return [''];
  const blocks = peers.blocks.map(({ cidr, except }) => {
    const holes = except.length === 0 ? '' : `ip ${side} != { ${except.join(', ')} } `;
    return `ip ${side} ${cidr} ${holes}`;
  });
  return peers.addresses.length === 0 ? blocks : [`ip ${side} { ${peers.addresses.join(', ')} } `, ...blocks];
}

function portsOf({ ports }: Rule): string[] {
  if (ports === undefined) return [''];
  return ports.map(({ protocol, first, last }: Ports) => {
    const range = first === last ? first : `${first}-${last}`;
    return `${protocol.toLowerCase()} dport ${range} `;
  });
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.map((line) => line.replaceAll(/^/gm, '  ')).join('\n')}\n}`;
}
