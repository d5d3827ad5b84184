import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { helm, kubectl, namespace, release, root, runnerPods, runnersNamespace, services, start } from './cluster.ts';
import { matches, type Platform, playing } from './platform.ts';
import type { Step } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

const rate = 20;

const requestedRunners = async () =>
  Number(
    await kubectl(
      ...['-n', runnersNamespace, 'get', `deployment/${release}-runner`, '-o', 'jsonpath={.spec.replicas}'],
    ),
  );

/**
 * Waits until the site has responded without a gap for 6 s, three periods of the readiness probe: the steps before this one take
 * PostgreSQL and NATS away. Rejects after 2 minutes.
 */
export async function untilSteady({ origin }: Platform): Promise<void> {
  const until = Date.now() + 120_000;
  for (let since = Date.now(); Date.now() - since < 6000; await pause(200)) {
    if (Date.now() > until) throw new Error('the site was not steady for 6 s within 2 minutes');
    const works = await fetch(`${origin}/live/public-job-ids`, { signal: AbortSignal.timeout(5000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (!works) since = Date.now();
  }
}

/** Starts constant reads of every service. `end` stops them, returns a summary, and throws if a request failed. */
export async function startLoad(platform: Platform, maxSeconds = 400): Promise<{ end: () => Promise<string> }> {
  const load = start('k6', [
    ...['run', '--quiet', '--no-usage-report', '-e', `SITE=${platform.origin}`, '-e', `SECONDS=${maxSeconds}`],
    ...['-e', `RATE=${rate}`, '-e', `TOKEN=${await platform.token()}`, join(root, 'k8s/e2e/load.js')],
  ]);
  return {
    async end() {
      if (load.child.exitCode !== null) throw new Error(`k6 ended too early: ${load.soFar().slice(-600)}`);
      const failures = answersIn(load.soFar());
      load.child.kill('SIGINT');
      const { output } = await load.ended;
      const requests = Number(/http_reqs\.*:\s*(\d+)/.exec(output)?.[1] ?? 0);
      if (failures.length > 0) throw new Error(`of ${requests} requests: ${failures.join('; ')}`);
      if (requests < rate * 10) throw new Error(`k6 made ${requests} requests only: ${output.trim().slice(-600)}`);
      const slowest = /http_req_duration.*max=(\S+)/.exec(output)?.[1] ?? '?';
      return `${requests} requests, none failed, the slowest took ${slowest}`;
    },
  };
}

/** Runs k6 against the gateway from before `change` until after it. Throws if a request failed. */
export async function underLoad(platform: Platform, change: () => Promise<unknown>): Promise<string> {
  await untilSteady(platform);
  const load = await startLoad(platform);
  let ended = false;
  try {
    await pause(4000);
    const began = Date.now();
    await change();
    const tookMs = Date.now() - began;
    // Old pods continue to serve for a while.
    await pause(15_000);
    ended = true;
    return `${await load.end()}; done in ${(tookMs / 1000).toFixed(1)} s`;
  } finally {
    if (!ended) await load.end().catch(() => '');
  }
}

/** Returns the failures that load.js has logged, each with its count. */
function answersIn(output: string): string[] {
  const kinds = new Map<string, number>();
  for (const line of output.split('\n')) {
    const answer = /msg="(.* answered .*?)" source/.exec(line)?.[1];
    if (answer !== undefined) kinds.set(answer, (kinds.get(answer) ?? 0) + 1);
  }
  return [...kinds].map(([answer, times]) => `${times} x ${answer}`);
}

// Changes a variable of every service, so that all pods are replaced.
const replaceAll = () => [
  ...['--set', 'logLevel=debug'],
  ...services.flatMap((service) => ['--set-string', `services.${service}.env.UPGRADED_AT=${Date.now()}`]),
];

// Helm keeps ten revisions.
async function firstRevision(): Promise<number> {
  const history = JSON.parse(await helm('history', release, '--namespace', namespace, '--output', 'json'));
  return Math.min(...(history as { revision: number }[]).map(({ revision }) => revision));
}

export const upgradeSteps = (platform: Platform): Step[] => [
  {
    name: 'helm upgrade under constant read load: no request fails, the pool keeps its size',
    async run() {
      const before = await requestedRunners();
      const summary = await underLoad(platform, () => upgradeWithin('5m', ...replaceAll()));
      const after = await requestedRunners();
      if (after !== before) throw new Error(`the upgrade changed the pool from ${before} to ${after}`);
      const leaving = (await runnerPods()).filter((pod) => pod.deleting).length;
      return `${summary}; the pool still has ${after} runners${leaving > 0 ? `, ${leaving} old ones are leaving` : ''}`;
    },
  },
  {
    name: 'helm rollback under constant read load: no request fails',
    async run() {
      const first = String(await firstRevision());
      const rollback = ['rollback', release, first, '--namespace', namespace, '--wait', '--timeout', '5m'];
      return underLoad(platform, () => helm(...rollback));
    },
  },
];

/** Needs storage that applies fsGroup. */
export const natsUserSteps = (platform: Platform): Step[] => [
  {
    name: 'NATS servers get another user during matches, and the old one again: their volumes follow, every match finishes once and complete',
    minutes: 15,
    run: () => otherNatsUser(platform),
  },
];

async function otherNatsUser(platform: Platform): Promise<string> {
  const selector = `app.kubernetes.io/instance=${release},app.kubernetes.io/component=nats`;
  const user = 'jsonpath={.items[*].spec.securityContext.runAsUser}';
  let hands = 0;
  for (const expected of ['65531', '1000']) {
    const jobs = await matches(platform, 2);
    await playing(platform, jobs, 1);
    await upgradeWithin('5m', '--set', `nats.runAsUser=${expected}`);
    const users = await kubectl('-n', namespace, 'get', 'pods', '-l', selector, '-o', user);
    if (users !== [expected, expected, expected].join(' ')) throw new Error(`the servers run as ${users}`);
    hands += await platform.whole(jobs, 300);
  }
  return `${hands} hands`;
}
