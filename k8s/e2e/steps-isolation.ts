import { kubectl, namespace, release, runnerPods, runnersNamespace, tryKubectl } from './cluster.ts';
import { botText, type Platform, steadyPlayers } from './platform.ts';
import type { Step } from './steps.ts';

const addressOf = (kind: 'service' | 'pods', place: string, ...which: string[]) =>
  kubectl(
    ...['-n', place, 'get', kind, ...which, '-o'],
    kind === 'service' ? 'jsonpath={.spec.clusterIP}' : 'jsonpath={.items[0].status.podIP}',
  );
const podOf = (component: string, place: string) =>
  addressOf('pods', place, '-l', `app.kubernetes.io/component=${component}`);

/** Restrictions on bots, runners' pods and images. */
export const isolationSteps = (platform: Platform): Step[] => [
  {
    name: 'a bot cannot leave its seat: API server, token, services, pods, keys, processes',
    run: () => probe(platform),
  },
  {
    name: 'containers run as different users, none as root, with read-only roots and a bill of materials',
    async run() {
      const runner = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const places: [string, string[], string][] = [
        ['dealer', ['-n', runnersNamespace, 'exec', runner, '-c', 'dealer'], 'sbom.cdx.json'],
        ['seats', ['-n', runnersNamespace, 'exec', runner, '-c', 'seats'], 'sbom.packages.jsonl'],
        ['app', ['-n', namespace, 'exec', `deploy/${release}-gateway`], 'sbom.cdx.json'],
        ['submission', ['-n', namespace, 'exec', `deploy/${release}-submission`], 'sbom.packages.jsonl'],
      ];
      const users: string[] = [];
      for (const [image, where, bill] of places) {
        const script = `id -u; touch /app/x 2>/dev/null && echo writable; grep -c . /app/${bill}`;
        const [user = '0', lines = ''] = (await kubectl(...where, '--', 'sh', '-c', script)).trim().split('\n');
        if (user === '0') throw new Error(`${image} runs as root`);
        if (!(Number(lines) > 10)) throw new Error(`${image}: its root is writable or ${bill} is empty: ${lines}`);
        users.push(`${image} ${user}`);
      }
      if (new Set(users.slice(0, 2).map((user) => user.split(' ')[1])).size !== 2) {
        throw new Error(`dealer and seats share a user: ${users.join(', ')}`);
      }
      return users.join(', ');
    },
  },
  {
    name: "the network policies exist (this cluster's bridge does not enforce them)",
    async run() {
      const names = await Promise.all(
        [namespace, runnersNamespace].map((place) => kubectl('-n', place, 'get', 'networkpolicies', '-o', 'name')),
      );
      for (const place of names) if (!place.includes('default-deny')) throw new Error(`no default deny: ${place}`);
      return `${names.join('').trim().split('\n').length} policies, default deny in both namespaces`;
    },
  },
  {
    name: 'pods that are not restricted are refused in both namespaces',
    async run() {
      for (const place of [namespace, runnersNamespace]) {
        const pod = ['-n', place, 'run', 'intruder', '--image=localhost/any:1', '--dry-run=server'];
        const answer = tryKubectl(...pod);
        if (answer.ok || !answer.text.includes('violates PodSecurity')) throw new Error(`${place}: ${answer.text}`);
      }
    },
  },
];

async function probe(platform: Platform): Promise<string> {
  const targets = [
    ['the API server', `${await addressOf('service', 'default', 'kubernetes')}:443`],
    ['simulation', `${await podOf('simulation', namespace)}:50051`],
    ['PostgreSQL', `${await addressOf('service', namespace, `${release}-postgres`)}:5432`],
    ['NATS', `${await podOf('nats', namespace)}:4222`],
    ['another runner', `${await podOf('runner', runnersNamespace)}:9090`],
    ['its own pod', '127.0.0.1:9090'],
  ];
  const text = botText('k8s/e2e/bots/prober.py').replace('TARGET_LIST', JSON.stringify(targets));
  // A new name each time, so that the step can be repeated.
  const name = `prober-${Date.now().toString(36)}`;
  const player = await platform.player(name, text);
  const job = await platform.match([name, ...steadyPlayers.slice(0, 5)], 6);
  await platform.whole([job], 200);
  const { log } = await player.get<{ log: string }>(`/live/job/${job}/log/${name}`);
  if (!log.includes('attempts are over')) throw new Error(`the attempts did not end: ${log.slice(-400)}`);
  const succeeded = log.split('\n').filter((line) => line.includes('SUCCEEDED'));
  if (succeeded.length > 0) throw new Error(succeeded.join('; '));
  return `${log.split('\n').filter((line) => line.includes('refused')).length} attempts refused by the seat's sandbox alone`;
}
