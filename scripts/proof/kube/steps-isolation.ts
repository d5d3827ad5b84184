import { kubectl, namespace, release, runnerPods, runnersNamespace, tryKubectl } from './cluster.ts';
import { type Platform, readProjectFile, steadyPlayers } from './platform.ts';
import type { Step } from './steps.ts';

const addressOf = (kind: 'service' | 'pods', ns: string, ...which: string[]) =>
  kubectl(
    '-n',
    ns,
    'get',
    kind,
    ...which,
    '-o',
    kind === 'service' ? 'jsonpath={.spec.clusterIP}' : 'jsonpath={.items[0].status.podIP}',
  );
const podAddressOf = (component: string, ns: string) =>
  addressOf('pods', ns, '-l', `app.kubernetes.io/component=${component}`);

/** Steps that check the restrictions on bots, runner pods and images. */
export const isolationSteps = (platform: Platform): Step[] => [
  {
    name: 'a bot cannot escape from its seat: API server, token, services, pods, keys, processes',
    run: () => probeSandbox(platform),
  },
  {
    name: 'containers run as different users, none as root, with read-only roots and a bill of materials',
    async run() {
      const runner = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const containers: [image: string, exec: string[], billOfMaterials: string][] = [
        ['dealer', ['-n', runnersNamespace, 'exec', runner, '-c', 'dealer'], 'sbom.cdx.json'],
        ['seats', ['-n', runnersNamespace, 'exec', runner, '-c', 'seats'], 'sbom.packages.jsonl'],
        ['app', ['-n', namespace, 'exec', `deploy/${release}-gateway`], 'sbom.cdx.json'],
        ['submission', ['-n', namespace, 'exec', `deploy/${release}-submission`], 'sbom.packages.jsonl'],
      ];
      const users: string[] = [];
      for (const [image, exec, bill] of containers) {
        const script = `id -u; touch /app/x 2>/dev/null && echo writable; grep -c . /app/${bill}`;
        const [user = '0', lines = ''] = (await kubectl(...exec, '--', 'sh', '-c', script)).trim().split('\n');
        if (user === '0') throw new Error(`${image} runs as root`);
        if (!(Number(lines) > 10))
          throw new Error(`${image}: its root file system is writable or ${bill} is empty: ${lines}`);
        users.push(`${image} ${user}`);
      }
      if (new Set(users.slice(0, 2).map((user) => user.split(' ')[1])).size !== 2) {
        throw new Error(`dealer and seats share a user: ${users.join(', ')}`);
      }
      return users.join(', ');
    },
  },
  {
    name: 'both namespaces refuse pods that violate the restricted Pod Security Standard',
    async run() {
      for (const ns of [namespace, runnersNamespace]) {
        const pod = ['-n', ns, 'run', 'intruder', '--image=localhost/any:1', '--dry-run=server'];
        const { ok, text } = tryKubectl(...pod);
        if (ok || !text.includes('violates PodSecurity')) throw new Error(`${ns}: ${text}`);
      }
    },
  },
];

/** Plays a match with a bot that attempts to escape. Returns the number of refused attempts; throws if one succeeded. */
async function probeSandbox(platform: Platform): Promise<string> {
  const targets = [
    ['the API server', `${await addressOf('service', 'default', 'kubernetes')}:443`],
    ['simulation', `${await podAddressOf('simulation', namespace)}:50051`],
    ['PostgreSQL', `${await addressOf('service', namespace, `${release}-postgres`)}:5432`],
    ['NATS', `${await podAddressOf('nats', namespace)}:4222`],
    ['another runner', `${await podAddressOf('runner', runnersNamespace)}:9090`],
    ['its own pod', '127.0.0.1:9090'],
  ];
  const text = readProjectFile('scripts/proof/kube/bots/prober.py').replace('TARGET_LIST', JSON.stringify(targets));
  // A new name each time, so that the step can be repeated.
  const name = `prober-${Date.now().toString(36)}`;
  const player = await platform.registerPlayer(name, text);
  const job = await platform.startMatch([name, ...steadyPlayers.slice(0, 5)], 6);
  await platform.verifyMatches([job], 200);
  const { log } = await player.get<{ log: string }>(`/live/job/${job}/log/${name}`);
  if (!log.includes('all attempts made')) throw new Error(`the bot did not make all attempts: ${log.slice(-400)}`);
  const succeeded = log.split('\n').filter((line) => line.includes('SUCCEEDED'));
  if (succeeded.length > 0) throw new Error(succeeded.join('; '));
  return `${log.split('\n').filter((line) => line.includes('refused')).length} attempts refused by the seat's sandbox alone`;
}
