import { type Cluster, type Direction, type Pod, type Ports, type Rule, rulesOf } from './network-policy.ts';

export const table = 'ip husky_policies';

/**
 * Returns the script for `nft -f` that replaces the rules of a node, in one transaction, by those of its pods' policies.
 * `isLocal`: whether a pod runs on this node.
 */
export function createRuleset(cluster: Cluster, isLocal: (pod: Pod) => boolean = () => true): string {
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
  // Packets sent by the node itself, such as probes, do not pass these hooks.
  const baseChain = (hook: string, rules: readonly string[]) =>
    block(`chain ${hook}`, [
      `type filter hook ${hook} priority filter; policy accept;`,
      'ct state established,related accept',
      ...rules,
    ]);
  return [
    `add table ${table}`,
    `delete table ${table}`,
    block(`table ${table}`, [...chains, baseChain('forward', [...egress, ...ingress]), baseChain('input', egress)]),
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

/** Returns nft match expressions for the peers, of which one must match; '' matches every peer. */
function peersOf({ peers }: Rule, side: string): string[] {
  if (peers === undefined) return [''];
  const blocks = peers.blocks.map(({ cidr, except }) => {
    const excluded = except.length === 0 ? '' : `ip ${side} != { ${except.join(', ')} } `;
    return `ip ${side} ${cidr} ${excluded}`;
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
