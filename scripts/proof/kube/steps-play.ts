import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespace, root, runnerPods, runnersNamespace, start, tryKubectl } from './cluster.ts';
import {
  countReadyRunners,
  type Platform,
  readProjectFile,
  startMatches,
  steadyPlayers,
  waitUntilPlaying,
} from './platform.ts';
import { type Step, seconds } from './steps.ts';

/** Returns the steps with matches, scaling and logs on an installed release. */
export function playSteps(platform: Platform, password: string): Step[] {
  return [
    {
      name: 'demo bots play a match in runner pods, and its replay is read back',
      required: true,
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'husky-e2e-'));
        const variables = [`ORIGIN=${platform.origin}`, `ADMIN_PASSWORD=${password}`, 'HANDS=60', `DATA_DIR=${folder}`];
        const demo = start('env', [...variables, process.execPath, join(root, 'scripts/demo/main.ts')]);
        const { code, output } = await demo.ended;
        if (code !== 0) throw new Error(output.trim().split('\n').slice(-3).join('\n'));
        return output.split('\n').find((line) => line.startsWith('finished after')) ?? '';
      },
    },
    {
      name: 'six users with a slow bot are registered',
      required: true,
      async run() {
        const text = readProjectFile('scripts/proof/kube/bots/steady.py');
        for (const username of steadyPlayers) await platform.registerPlayer(username, text);
      },
    },
    {
      name: 'scales 3 -> 8 -> 3 during matches: all runners ready, then idle pods are removed first, no match disturbed',
      run: () => scaleDuringMatches(platform),
    },
    {
      name: "a runner's log can be read through the API",
      async run() {
        const [first] = await platform.containers();
        const log = await (await platform.admin()).get<{ log_content: string; container_name: string }>(
          `/docker/game-log/${first?.port}`,
        );
        if (!log.log_content.includes('dealer | ') || !log.log_content.includes('seats | ')) {
          throw new Error(log.log_content.slice(0, 200));
        }
        return `${log.container_name}, ${log.log_content.length} bytes`;
      },
    },
  ];
}

async function scaleDuringMatches(platform: Platform): Promise<string> {
  const jobs = await startMatches(platform, 3, 300);
  await waitUntilPlaying(platform, jobs, 3);
  const up = await platform.scaleAndWait(8, 150);
  if (up.job.status !== 'Finished') throw new Error(up.job.error_message ?? up.job.status);
  if ((await countReadyRunners()) !== 8) throw new Error(`${await countReadyRunners()} are ready`);
  const busy = (await platform.containers()).filter(({ state }) => state === 'active').map((one) => one.container_name);
  if (busy.length === 0) throw new Error('the matches ended too early');
  const down = await platform.scaleAndWait(3, 150);
  if (down.job.status !== 'Finished') throw new Error(down.job.error_message ?? down.job.status);
  const remaining = (await runnerPods()).filter((pod) => !pod.deleting).map((pod) => pod.name);
  const lost = busy.filter((name) => !remaining.includes(name));
  if (remaining.length !== 3) throw new Error(`${remaining.length} pods remain`);
  if (lost.length > 0) throw new Error(`busy pods were removed: ${lost.join(', ')}`);
  const hands = await platform.verifyMatches(jobs, 300);
  return `up in ${seconds(up.tookMs)}, down in ${seconds(down.tookMs)}; the ${busy.length} busy ones stayed; ${hands} hands`;
}

/** Returns whether the release's namespace exists. */
export const isInstalled = () => tryKubectl('get', 'namespace', namespace, '-o', 'name').ok;

/** Returns a list of the release's pods, printed after a failure. */
export function describeCluster(): string {
  return [namespace, runnersNamespace]
    .map((ns) => tryKubectl('-n', ns, 'get', 'pods', '-o', 'wide', '--no-headers').text)
    .join('\n');
}
