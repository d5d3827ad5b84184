import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAllYaml, type V1NetworkPolicy } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { listens, permitted } from './connections.ts';
import { type Cluster, matches, type Pod, permits } from './network-policy.ts';
import { createRuleset, table } from './nftables.ts';

const root = join(import.meta.dirname, '../../..');

function policiesOf(file: string): V1NetworkPolicy[] {
  const documents = readFileSync(join(root, file), 'utf8')
    .split(/^---$/m)
    .filter((text) => /^kind: NetworkPolicy$/m.test(text));
  return loadAllYaml(documents.join('---\n')) as V1NetworkPolicy[];
}

/** Returns a cluster with the policies of a file, one pod of each part, and a second runner and NATS server. `podOf` finds a pod. */
function clusterOf(file: string): Cluster & { podOf: (part: string, index?: number) => Pod } {
  const parts = [...Object.keys(permitted), 'runner', 'nats'];
  const podsOf = new Map<string, Pod[]>();
  const pods = parts.map((part, index): Pod => {
    const inRelease = part !== 'stranger';
    const pod: Pod = {
      namespace: part === 'runner' ? 'husky-runners' : 'husky',
      name: `${part}-${index}`,
      labels: inRelease
        ? { 'app.kubernetes.io/instance': 'husky', 'app.kubernetes.io/component': part }
        : { app: 'stranger' },
      address: `10.86.1.${index + 1}`,
    };
    podsOf.set(part, [...(podsOf.get(part) ?? []), pod]);
    return pod;
  });
  const namespaces = new Map(['husky', 'husky-runners'].map((name) => [name, { 'kubernetes.io/metadata.name': name }]));
  const podOf = (part: string, index = 0) => {
    const pod = podsOf.get(part)?.[index];
    if (pod === undefined) throw new Error(`there is no ${part}`);
    return pod;
  };
  return { namespaces, pods, policies: policiesOf(file), podOf };
}

test('the policies permit exactly the listed connections between the parts', () => {
  const cluster = clusterOf('charts/husky-holdem/ci/golden-options.yaml');
  const unexpected: string[] = [];
  let evaluated = 0;
  for (const from of Object.keys(permitted)) {
    for (const [to, ports] of Object.entries(listens)) {
      for (const port of ports) {
        evaluated += 1;
        const target = cluster.podOf(
          to,
          from === to && cluster.pods.filter(({ name }) => name.startsWith(`${to}-`)).length > 1 ? 1 : 0,
        );
        const passes = permits(cluster, cluster.podOf(from), target.address, port);
        // By default metrics accept connections from all pods (values.yaml, networkPolicies.metricsFrom); egress policies keep ours away.
        const expected = (permitted[from] ?? []).includes(`${to}:${port}`) || (from === 'stranger' && port === 9090);
        if (passes !== expected) unexpected.push(`${from} to ${to}:${port} ${passes ? 'passes' : 'does not pass'}`);
      }
    }
  }
  expect(unexpected).toEqual([]);
  expect(evaluated).toBeGreaterThan(250);
});

test('the policies permit only the required ports outside of the cluster', () => {
  const outside = '203.0.113.7';
  const openPorts = (file: string) => {
    const cluster = clusterOf(file);
    const ports = [22, 25, 53, 80, 443, 587, 4222, 4318, 5432, 6443, 8080];
    const from = Object.keys(permitted).filter((part) => part !== 'stranger');
    return Object.fromEntries(
      from.map((part) => [
        part,
        ports.filter((port) => permits(cluster, cluster.podOf(part), outside, port)).join(' '),
      ]),
    );
  };
  expect(openPorts('k8s/base/husky-holdem.yaml')).toEqual({
    ...Object.fromEntries(Object.keys(permitted).map((part) => [part, '53'])),
    submission: '53 443',
    pool: '53 443 6443',
    secrets: '53 443 6443',
    postgres: '',
    // No policy, and default deny, without backups.
    backup: '',
    stranger: undefined,
  });
  // An external PostgreSQL and a mail server.
  expect(openPorts('charts/husky-holdem/ci/golden-prod.yaml')).toMatchObject({
    auth: '25 53 587 5432',
    submission: '53 443 5432',
    runner: '53',
    gateway: '53',
  });
});

test('selectors match as Kubernetes defines them', () => {
  const labels = { app: 'a', tier: 'x' };
  const expression = (key: string, operator: string, ...values: string[]) =>
    matches({ matchExpressions: [{ key, operator, values }] }, labels);
  expect(matches({}, labels)).toBe(true);
  expect(matches({ matchLabels: { app: 'a', tier: 'y' } }, labels)).toBe(false);
  expect([expression('app', 'In', 'a', 'b'), expression('no', 'In', 'a')]).toEqual([true, false]);
  expect([expression('app', 'NotIn', 'a'), expression('no', 'NotIn', 'a')]).toEqual([false, true]);
  expect([expression('app', 'Exists'), expression('app', 'DoesNotExist')]).toEqual([true, false]);
});

test('evaluates blocks, exceptions and port ranges, and translates them into rules of nftables', () => {
  const cluster: Cluster = {
    namespaces: new Map([['a', {}]]),
    pods: [
      { namespace: 'a', name: 'one', labels: { app: 'one' }, address: '10.0.0.1' },
      { namespace: 'a', name: 'two', labels: {}, address: '10.0.0.2' },
    ],
    policies: [
      {
        metadata: { namespace: 'a' },
        spec: {
          podSelector: { matchLabels: { app: 'one' } },
          policyTypes: ['Egress'],
          egress: [
            {
              to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
              ports: [{ port: 1000, endPort: 2000 }],
            },
          ],
        },
      },
    ],
  };
  const [one, two] = cluster.pods as [Pod, Pod];
  const verdicts = [
    permits(cluster, one, '10.2.0.1', 1500),
    permits(cluster, one, '10.1.0.1', 1500),
    permits(cluster, one, '10.2.0.1', 2001),
    permits(cluster, two, '10.1.0.1', 1),
  ];
  expect(verdicts).toEqual([true, false, false, true]);
  const script = createRuleset(cluster);
  expect(script).toContain('ip daddr 10.0.0.0/8 ip daddr != { 10.1.0.0/16 } tcp dport 1000-2000 return');
  expect(script).toContain('ip saddr vmap { 10.0.0.1 : jump egress_10_0_0_1 }');
  expect(script).not.toContain('ip daddr vmap');
  // A node enforces only the policies of its own pods.
  expect(createRuleset(cluster, ({ name }) => name === 'two')).not.toContain('egress_10_0_0_1');
});

const nft = spawnSync('nft', ['--version']).status === 0 && process.getuid?.() === 0;
if (!nft) process.stdout.write('skipped: nft is not installed, or this is not root\n');
test.runIf(nft)('nft accepts the rules of the chart', () => {
  const script = createRuleset(clusterOf('k8s/base/husky-holdem.yaml'));
  const { status, stderr } = spawnSync('nft', ['--check', '-f', '-'], { input: script, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(script).toContain(`table ${table}`);
});
