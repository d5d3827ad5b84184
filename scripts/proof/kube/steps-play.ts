import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../bench/spread.ts';
import { namespace, root, runnerPods, runnersNamespace, start, tryKubectl, waitUntil } from './cluster.ts';
import {
  countReadyRunners,
  type Platform,
  readProjectFile,
  startMatches,
  steadyPlayers,
  waitUntilPlaying,
} from './platform.ts';
import { type Step, seconds } from './steps.ts';

const claims = Number(process.env.KUBE_CLAIMS ?? 100);

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
      name: 'invalid sizes are refused with a message',
      async run() {
        const sizes = ['2', '0', '-3', '1.5', 'x', '1000000'];
        const details = new Set<string>();
        for (const size of sizes) {
          const { status, detail } = await platform.catchRefusal(platform.scale(size));
          if (![400, 422].includes(status) || detail === '') throw new Error(`target_size=${size} returned ${status}`);
          details.add(detail);
        }
        return `${sizes.join(', ')}: ${[...details].map((detail) => `"${detail}"`).join(', ')}`;
      },
    },
    {
      name: 'a new runner on an idle cluster: time until its pod is ready and has requested work',
      async run() {
        const before = new Set((await runnerPods()).map((pod) => pod.name));
        const startedMs = Date.now();
        const scaling = platform.scaleAndWait(before.size + 1, 150);
        await waitUntil(
          'readiness of the new pod',
          150,
          runnerPods,
          (pods) => pods.some((pod) => pod.ready && !before.has(pod.name)),
          50,
        );
        const readyMs = Date.now() - startedMs;
        const { job, tookMs } = await scaling;
        if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
        await platform.scaleAndWait(before.size, 150);
        return `${seconds(readyMs)}, ${seconds(tookMs)}`;
      },
    },
    {
      name: 'scales 3 -> 8 during matches: all runners ready, no match disturbed',
      async run() {
        const jobs = await startMatches(platform, 5);
        await waitUntilPlaying(platform, jobs, 2);
        const { job, tookMs } = await platform.scaleAndWait(8, 150);
        if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
        if ((await countReadyRunners()) !== 8) throw new Error(`${await countReadyRunners()} are ready`);
        const hands = await platform.verifyMatches(jobs, 300);
        return `${seconds(tookMs)} until all had requested work; ${jobs.length} matches, ${hands} hands`;
      },
    },
    {
      name: 'scales 8 -> 3 during matches: idle pods are removed first, no match lost',
      async run() {
        const jobs = await startMatches(platform, 3);
        await waitUntilPlaying(platform, jobs, 3);
        const busy = (await platform.containers()).filter(({ state }) => state === 'active' || state === 'acquired');
        const { job, tookMs } = await platform.scaleAndWait(3, 150);
        if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
        const remaining = (await runnerPods()).filter((pod) => !pod.deleting).map((pod) => pod.name);
        const lost = busy.filter(({ container_name }) => !remaining.includes(container_name));
        if (remaining.length !== 3) throw new Error(`${remaining.length} pods remain`);
        if (lost.length > 0)
          throw new Error(`busy pods were removed: ${lost.map(({ container_name }) => container_name).join(', ')}`);
        const hands = await platform.verifyMatches(jobs, 300);
        return `${seconds(tookMs)}; the ${busy.length} busy ones stayed; ${hands} hands`;
      },
    },
    {
      name: 'a hundred short matches in sequence: time until a warm runner claims each and plays its first hand',
      minutes: 15,
      run: () => measureWarmClaims(platform),
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

/** Plays short matches in sequence. Returns the times from request to claim and from claim to the first hand, read from the runners' logs. */
async function measureWarmClaims(platform: Platform): Promise<string> {
  const requestedAtMs = new Map<string, number>();
  for (let count = 0; count < claims; count++) {
    const atMs = Date.now();
    const job = await platform.startMatch(steadyPlayers, 2);
    requestedAtMs.set(job, atMs);
    await waitUntil(
      `match ${job}`,
      120,
      () => platform.status(job),
      ({ job_status }) => job_status === 'Finished',
    );
  }
  const admin = await platform.admin();
  const claimTimesMs: number[] = [];
  const startTimesMs: number[] = [];
  for (const { port } of await platform.containers()) {
    const { log_content } = await admin.get<{ log_content: string }>(`/docker/game-log/${port}`);
    for (const line of log_content.matchAll(/^dealer \| (\{.*"startMs":.*\})$/gm)) {
      const { time, jobId, startMs } = JSON.parse(line[1] ?? '') as { time: string; jobId: string; startMs: number };
      const atMs = requestedAtMs.get(jobId);
      if (atMs === undefined) continue;
      startTimesMs.push(startMs);
      claimTimesMs.push(Date.parse(time) - startMs - atMs);
    }
  }
  if (startTimesMs.length !== claims) throw new Error(`the logs have ${startTimesMs.length} of ${claims} starts`);
  const summarize = (timesMs: readonly number[]) =>
    `p50 ${quantile(timesMs, 0.5)}, p99 ${quantile(timesMs, 0.99)}, slowest ${Math.max(...timesMs)} ms`;
  return `request to claim ${summarize(claimTimesMs)}; claim to first hand ${summarize(startTimesMs)}`;
}

/** Returns whether the release's namespace exists. */
export const isInstalled = () => tryKubectl('get', 'namespace', namespace, '-o', 'name').ok;

/** Returns a list of the release's pods, printed after a failure. */
export function describeCluster(): string {
  return [namespace, runnersNamespace]
    .map((ns) => tryKubectl('-n', ns, 'get', 'pods', '-o', 'wide', '--no-headers').text)
    .join('\n');
}
