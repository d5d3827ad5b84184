import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startIdleShare } from '../bench/machine.ts';
import { helm, kubectl, namespace, ownCluster, release, root, runnersNamespace, services, start } from './cluster.ts';
import type { Platform } from './platform.ts';
import type { Step } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

/** Requests per second. */
const rate = 20;

const readRequestedRunners = async () =>
  Number(
    await kubectl('-n', runnersNamespace, 'get', `deployment/${release}-runner`, '-o', 'jsonpath={.spec.replicas}'),
  );

/**
 * Waits until all requests have succeeded for 6 s, three periods of the readiness probe: earlier steps make PostgreSQL and NATS
 * unavailable. Throws after 2 minutes.
 */
export async function waitUntilSteady({ origin }: Platform): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (let sinceMs = Date.now(); Date.now() - sinceMs < 6000; await pause(200)) {
    if (Date.now() > deadline) throw new Error('the site did not respond without failure for 6 s within 2 minutes');
    const succeeded = await fetch(`${origin}/live/public-job-ids`, { signal: AbortSignal.timeout(5000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (!succeeded) sinceMs = Date.now();
  }
}

/** Starts load.js: reads of every service, and sign-ins and uploads if there is a file of accounts. */
export async function startRequests(platform: Platform, maxSeconds: number, accounts = '') {
  const variables = {
    SITE: platform.origin,
    SECONDS: maxSeconds,
    RATE: rate,
    TOKEN: await platform.token(),
    ACCOUNTS: accounts,
  };
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const script = join(root, 'scripts/proof/kube/load.js');
  return start('k6', ['run', '--quiet', '--no-usage-report', ...settings, script]);
}

/** Starts constant read load on every service. `stop` ends it and returns a summary; throws if a request failed. */
async function startLoad(platform: Platform, maxSeconds: number): Promise<{ stop: () => Promise<string> }> {
  const load = await startRequests(platform, maxSeconds);
  return {
    async stop() {
      if (load.child.exitCode !== null) throw new Error(`k6 ended too early: ${load.readOutput().slice(-600)}`);
      const failures = countFailures(listFailures(load.readOutput()));
      load.child.kill('SIGINT');
      const { output } = await load.ended;
      const requests = Number(/http_reqs\.*:\s*(\d+)/.exec(output)?.[1] ?? 0);
      if (failures !== '') throw new Error(`of ${requests} requests: ${failures}`);
      if (requests < rate * 10) throw new Error(`k6 made ${requests} requests only: ${output.trim().slice(-600)}`);
      const slowest = /http_req_duration.*max=(\S+)/.exec(output)?.[1] ?? '?';
      const slow = [...output.matchAll(/msg="(\S+ took \d+ ms)"/g)].map(([, text]) => text);
      const longer = slow.length > 0 ? ` (${slow.length} took longer than 2 s: ${slow.slice(0, 8).join(', ')})` : '';
      return `${requests} requests, none failed, the slowest took ${slowest}${longer}`;
    },
  };
}

/** Starts to measure this machine. The returned function describes the time since then; '' if the cluster runs elsewhere. */
function measureProcessors(): () => string {
  if (!ownCluster) return () => '';
  const idleShare = startIdleShare();
  return () => `; processors ${Math.round(100 * (1 - idleShare()))} % busy, load ${loadavg()[0]?.toFixed(1)}`;
}

/** Makes a change under constant read load for at most 15 minutes. Returns a summary; throws if a request failed. */
export async function underLoad(platform: Platform, change: () => Promise<unknown>): Promise<string> {
  await waitUntilSteady(platform);
  const describeProcessors = measureProcessors();
  const load = await startLoad(platform, 900);
  let stopped = false;
  try {
    await pause(4000);
    const startedMs = Date.now();
    await change();
    const tookMs = Date.now() - startedMs;
    // Old pods serve requests until they have terminated.
    await pause(15_000);
    stopped = true;
    const summary = await load.stop().catch((error: Error) => {
      throw new Error(`${error.message}${describeProcessors()}`);
    });
    return `${summary}; done in ${(tookMs / 1000).toFixed(1)} s${describeProcessors()}`;
  } finally {
    if (!stopped) await load.stop().catch(() => '');
  }
}

/** A failed request that load.js has logged. `text`: `/path returned 503 ...`. */
interface Failure {
  readonly atMs: number;
  readonly text: string;
}

export const listFailures = (output: string): Failure[] =>
  [...output.matchAll(/msg="(\d+) (.* returned .*?)" source/g)].map(([, at, text = '']) => ({
    atMs: Number(at),
    text,
  }));

/** Formats failures as `2 x /path returned 503 ...; ...`. */
export function countFailures(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { text } of failures) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${count} x ${text}`).join('; ');
}

/** Returns helm arguments that change a variable of every service, so that all pods are replaced. */
export const rolloutArguments = () => [
  '--set',
  'logLevel=debug',
  ...services.flatMap((service) => ['--set-string', `services.${service}.env.UPGRADED_AT=${Date.now()}`]),
];

/** Returns the oldest revision that Helm has kept (it keeps ten). */
export async function findFirstRevision(): Promise<number> {
  const history = JSON.parse(await helm('history', release, '--namespace', namespace, '--output', 'json'));
  return Math.min(...(history as { revision: number }[]).map(({ revision }) => revision));
}

export const upgradeSteps = (platform: Platform): Step[] => [
  {
    name: 'helm upgrade and rollback under constant read load: no request fails, the pool keeps its size',
    minutes: 12,
    async run() {
      const before = await readRequestedRunners();
      const first = String(await findFirstRevision());
      const summary = await underLoad(platform, async () => {
        await upgradeWithin('5m', ...rolloutArguments());
        await helm('rollback', release, first, '--namespace', namespace, '--wait', '--timeout', '5m');
      });
      const after = await readRequestedRunners();
      if (after !== before) throw new Error(`the pool changed from ${before} to ${after}`);
      return `${summary}; the pool still has ${after} runners`;
    },
  },
];
