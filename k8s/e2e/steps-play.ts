import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  call,
  chart,
  helm,
  kubectl,
  namespace,
  ownCluster,
  release,
  root,
  runnerPods,
  runnersNamespace,
  start,
  tryKubectl,
  until,
} from './cluster.ts';
import { botText, type Platform, readyRunners } from './platform.ts';
import type { Step } from './steps.ts';
import { installArguments } from './steps-chart.ts';

const steadyPlayers = Array.from({ length: 6 }, (_, seat) => `steady-${seat + 1}`);
const longHands = Number(process.env.KUBE_HANDS ?? 200);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const restart = (what: string, awaySeconds: number) =>
  call(join(root, 'k8s/cluster/restart.sh'), [what, String(awaySeconds)], 120_000);

async function playing(platform: Platform, jobs: readonly string[], least: number): Promise<void> {
  const running = async () => {
    const all = await Promise.all(jobs.map((job) => platform.status(job)));
    return all.filter((status) => status.job_status === 'Running' && status.hands_done > 0).length;
  };
  await until(`${least} matches in play`, 90, running, (count) => count >= least);
}

/** Everything that is shown on a running installation. */
export function playSteps(platform: Platform, password: string): Step[] {
  const matches = (count: number, hands = longHands) =>
    Promise.all(Array.from({ length: count }, () => platform.match(steadyPlayers, hands)));

  return [
    {
      name: 'demo bots play a match in runner pods, and its replay is read back',
      needed: true,
      async run() {
        const demo = start('env', [
          ...[
            `ORIGIN=${platform.origin}`,
            `ADMIN_PASSWORD=${password}`,
            'HANDS=60',
            `DATA_DIR=${mkdtempSync(join(tmpdir(), 'husky-e2e-'))}`,
          ],
          ...[process.execPath, join(root, 'scripts/demo/main.ts')],
        ]);
        const { code, output } = await demo.ended;
        if (code !== 0) throw new Error(output.trim().split('\n').slice(-3).join('\n'));
        return output.split('\n').find((line) => line.startsWith('finished after')) ?? '';
      },
    },
    {
      name: 'six users with a bot that takes its time are there',
      needed: true,
      async run() {
        const text = botText('k8s/e2e/bots/steady.py');
        for (const username of steadyPlayers) await platform.player(username, text);
      },
    },
    {
      name: 'sizes that cannot be are refused in words',
      async run() {
        const sizes = ['2', '0', '-3', '1.5', 'x', '1000000'];
        for (const size of sizes) {
          const status = await platform.refusal(platform.scale(size));
          if (![400, 422].includes(status)) throw new Error(`target_size=${size} answered ${status}`);
        }
        return sizes.join(', ');
      },
    },
    {
      name: 'scaled 3 -> 8 with matches in play: all ready, no match disturbed',
      async run() {
        const jobs = await matches(5);
        await playing(platform, jobs, 2);
        const { job, tookMs } = await platform.scaled(8, 150);
        if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
        if ((await readyRunners()) !== 8) throw new Error(`${await readyRunners()} are ready`);
        const hands = await platform.whole(jobs, 300);
        return `${seconds(tookMs)} until all had asked for work; ${jobs.length} matches, ${hands} hands`;
      },
    },
    {
      name: 'scaled 8 -> 3 with matches in play: idle pods go first, no match lost',
      async run() {
        const jobs = await matches(3);
        await playing(platform, jobs, 3);
        const busy = (await platform.containers()).filter(({ state }) => state === 'active' || state === 'acquired');
        const { job, tookMs } = await platform.scaled(3, 150);
        if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
        const left = (await runnerPods()).filter((pod) => !pod.deleting).map((pod) => pod.name);
        const lost = busy.filter(({ container_name }) => !left.includes(container_name));
        if (left.length !== 3) throw new Error(`${left.length} pods are left`);
        if (lost.length > 0)
          throw new Error(`busy pods went: ${lost.map(({ container_name }) => container_name).join(', ')}`);
        const hands = await platform.whole(jobs, 300);
        return `${seconds(tookMs)}; the ${busy.length} busy ones stayed; ${hands} hands`;
      },
    },
    ...(ownCluster
      ? [
          {
            name: 'the API server is away for 8 s while the pool scales: words on the page, and recovery by itself',
            async run() {
              const jobs = await matches(2, 60);
              const restarted = restart('apiserver', 8);
              await pause(2000);
              const failed = await platform.scaled(5, 60);
              await restarted;
              const words = failed.job.error_message ?? '';
              if (failed.job.status !== 'Failed' || !words.includes('Kubernetes API')) {
                throw new Error(`while it was away the job was ${failed.job.status}: ${words}`);
              }
              const { job, tookMs } = await platform.scaled(4, 150);
              if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
              await platform.scaled(3, 100);
              await platform.whole(jobs, 240);
              return `"${words.slice(0, 90)}"; afterwards 3 -> 4 in ${seconds(tookMs)}`;
            },
          },
        ]
      : []),
    {
      name: 'no quota left: the scaling job says so, and the size can be taken back',
      async run() {
        await platform.scaled(3, 150);
        const pods = (await runnerPods()).length;
        await kubectl('-n', runnersNamespace, 'create', 'quota', 'e2e', `--hard=pods=${pods}`);
        try {
          const { job } = await platform.scaled(5, 180);
          const words = job.error_message ?? '';
          if (job.status !== 'Failed' || !words.includes('quota')) throw new Error(`${job.status}: ${words}`);
          const back = await platform.scaled(3, 150);
          if (back.job.status !== 'Finished') throw new Error(back.job.error_message ?? back.job.status);
          return `"${words.slice(0, 110)}…"`;
        } finally {
          await kubectl('-n', runnersNamespace, 'delete', 'quota', 'e2e');
        }
      },
    },
    {
      name: "a runner's log is read through the API",
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
    {
      name: 'a runner pod deleted with force in mid-match: every match finishes once and whole',
      async run() {
        const jobs = await matches(3);
        await playing(platform, jobs, 2);
        const busy = (await platform.containers()).find(({ state }) => state === 'active');
        await kubectl(
          '-n',
          runnersNamespace,
          'delete',
          'pod',
          busy?.container_name ?? '',
          '--force',
          '--grace-period=0',
        );
        return `${await platform.whole(jobs, 400)} hands`;
      },
    },
    ...(ownCluster
      ? [
          {
            name: "the node's containerd restarted in mid-match: every match finishes once and whole",
            async run() {
              const jobs = await matches(2);
              await playing(platform, jobs, 2);
              await restart('containerd', 2);
              return `${await platform.whole(jobs, 300)} hands`;
            },
          },
        ]
      : []),
    {
      name: 'NATS and PostgreSQL pods deleted in mid-match: every match finishes once and whole',
      async run() {
        const jobs = await matches(3);
        await playing(platform, jobs, 2);
        await kubectl('-n', namespace, 'delete', 'pod', `${release}-nats-0`, `${release}-postgres-0`);
        const hands = await platform.whole(jobs, 400);
        await kubectl('-n', namespace, 'rollout', 'status', `statefulset/${release}-nats`, '--timeout=90s');
        return `${hands} hands`;
      },
    },
    {
      name: 'a bot cannot leave its seat: API server, token, services, pods, keys, processes',
      run: () => probe(platform),
    },
    {
      name: 'helm upgrade under the load of readers: no request fails, the pool keeps its size',
      run: () => upgrade(platform),
    },
  ];
}

async function probe(platform: Platform): Promise<string> {
  const serviceAddress = (name: string, place: string) =>
    kubectl('-n', place, 'get', 'service', name, '-o', 'jsonpath={.spec.clusterIP}');
  const podAddress = async (component: string, place: string) =>
    kubectl(
      '-n',
      place,
      'get',
      'pods',
      '-l',
      `app.kubernetes.io/component=${component}`,
      '-o',
      'jsonpath={.items[0].status.podIP}',
    );
  const targets = [
    ['the API server', `${await serviceAddress('kubernetes', 'default')}:443`],
    ['simulation', `${await podAddress('simulation', namespace)}:50051`],
    ['PostgreSQL', `${await serviceAddress(`${release}-postgres`, namespace)}:5432`],
    ['NATS', `${await podAddress('nats', namespace)}:4222`],
    ['another runner', `${await podAddress('runner', runnersNamespace)}:9090`],
    ['its own pod', '127.0.0.1:9090'],
  ];
  const text = botText('k8s/e2e/bots/prober.py').replace('TARGET_LIST', JSON.stringify(targets));
  const player = await platform.player('prober', text);
  const job = await platform.match(['prober', ...steadyPlayers.slice(0, 5)], 6);
  await platform.whole([job], 200);
  const { log } = await player.get<{ log: string }>(`/live/job/${job}/log/prober`);
  if (!log.includes('attempts are over')) throw new Error(`the attempts did not end: ${log.slice(-400)}`);
  const succeeded = log.split('\n').filter((line) => line.includes('SUCCEEDED'));
  if (succeeded.length > 0) throw new Error(succeeded.join('; '));
  return `${log.split('\n').filter((line) => line.includes('refused')).length} attempts refused by the seat's sandbox (this cluster's network enforces no policy)`;
}

async function upgrade(platform: Platform): Promise<string> {
  const before = (await runnerPods()).filter((pod) => !pod.deleting).length;
  const load = start('k6', [
    ...['run', '--quiet', '--no-usage-report', '-e', `SITE=${platform.origin}`, '-e', 'SECONDS=110', '-e', 'RATE=10'],
    join(root, 'k8s/e2e/load.js'),
  ]);
  try {
    await pause(5000);
    const began = Date.now();
    const change = ['--set', 'logLevel=debug', '--wait', '--timeout', '5m'];
    await helm('upgrade', release, chart, ...installArguments, ...change);
    const tookMs = Date.now() - began;
    const { code, output } = await load.ended;
    const requests = /http_reqs\.*:\s*(\d+)/.exec(output)?.[1] ?? '?';
    if (code !== 0) throw new Error(`k6: ${output.trim().split('\n').slice(0, 8).join(' | ').slice(0, 900)}`);
    const scale = await kubectl(
      '-n',
      runnersNamespace,
      'get',
      `deployment/${release}-runner`,
      '-o',
      'jsonpath={.spec.replicas}',
    );
    if (Number(scale) !== before) throw new Error(`the upgrade changed the pool from ${before} to ${scale}`);
    if (tookMs > 105_000) throw new Error(`the upgrade took ${seconds(tookMs)}, longer than the load`);
    return `${requests} requests, none failed; upgraded in ${seconds(tookMs)}`;
  } finally {
    load.child.kill();
  }
}

/** The state of things, for whoever reads a failure. */
export function describeCluster(): string {
  return [namespace, runnersNamespace]
    .map((place) => tryKubectl('-n', place, 'get', 'pods', '-o', 'wide', '--no-headers').text)
    .join('\n');
}
