// Reads, sign-ins and uploads through changes and failures of the release: the table of k8s/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { registerVerified } from '../../demo/accounts.ts';
import type { Api } from '../../demo/api.ts';
import { helm, kubectl, namespace, release, services } from './cluster.ts';
import { podsOf, waitForPods } from './nodes.ts';
import type { Platform } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { countFailures, listFailures, rolloutArguments, startRequests, waitUntilSteady } from './steps-upgrade.ts';

interface Account {
  readonly username: string;
  readonly password: string;
  readonly api: Api;
}

/** Coprime with the twenty turns of load.js, so that every account signs in and uploads. */
const accountCount = 41;

async function createAccounts(platform: Platform): Promise<Account[]> {
  const admin = await platform.admin();
  await admin.post('/admin/settings', { max_submissions: 100, max_uploads_a_day: 10_000 });
  const password = 'a long enough passphrase';
  const accounts: Account[] = [];
  // Names of their own, for another run on the same release.
  const run = Date.now().toString(36);
  for (let number = 0; number < accountCount; number++) {
    const username = `events-${run}-${number}`;
    accounts.push({ username, password, api: await registerVerified(admin, username, password) });
    // Test runs of uploads would use the processors.
    await admin.post(`/admin/quota/${username}`, { max_test_runs: 0 });
  }
  return accounts;
}

const remove = (pod: string, ...flags: string[]) =>
  kubectl('-n', namespace, 'delete', 'pod', pod, '--timeout=100s', ...flags);
/** After an event. */
const settleMs = 15_000;
const force = ['--force', '--grace-period=0'];

async function killPodOf(service: string, replicas: number): Promise<void> {
  const [pod] = await podsOf(service, [namespace]);
  if (pod === undefined) throw new Error(`${service} has no pod`);
  await remove(pod.name, ...force);
  await waitForPods(service, replicas, { replaced: pod.name });
}

async function restartPostgres(...flags: string[]): Promise<void> {
  await remove(`${release}-postgres-0`, '--wait=false', ...flags);
  await pause(3000);
  await kubectl('-n', namespace, 'rollout', 'status', `statefulset/${release}-postgres`, '--timeout=90s');
}

const events = (replicas: number): readonly (readonly [string, () => Promise<unknown>])[] => [
  ['helm upgrade', () => upgradeWithin('6m', ...settings(replicas), ...rolloutArguments())],
  ['helm rollback', () => helm('rollback', release, '--namespace', namespace, '--wait', '--timeout', '6m')],
  ...services.map((service) => [`pod of ${service} killed`, () => killPodOf(service, replicas)] as const),
  ['PostgreSQL restarted', () => restartPostgres()],
  ['PostgreSQL killed', () => restartPostgres(...force)],
];

const settings = (replicas: number) => [
  ...services.flatMap((service) => ['--set', `services.${service}.replicas=${replicas}`]),
  // load.js names an address for each user, and reads from its own, which has no limit here.
  '--set',
  'services.gateway.trustedProxies=1',
  '--set-string',
  'services.gateway.env.RATE_LIMIT_READS=0',
];

/** Returns a row of the table: event, failed requests, of them no 503 with Retry-After, time from the first to the last, what failed. */
function describe(event: string, output: string, fromMs: number, toMs: number): string {
  const failures = listFailures(output).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const bare = failures.filter(({ text }) => !text.includes(' 503 ') || text.includes('without Retry-After'));
  const lasted = failures.length === 0 ? 0 : Math.max(...failures.map(({ atMs }) => atMs)) - (failures[0]?.atMs ?? 0);
  const short = failures.map(({ atMs, text }) => ({
    atMs,
    text: text.replace(/ \{.*?(?:'reason':'(.*?)'.*)?$/, ' $1'),
  }));
  const took = seconds(toMs - fromMs - settleMs);
  return `| ${event} | ${failures.length} | ${bare.length} | ${seconds(lasted)} | ${took} | ${countFailures(short)} |`;
}

/** Returns the rows of all events. Throws if an acknowledged upload is missing, or another one exists. */
async function measure(platform: Platform, replicas: number): Promise<string> {
  await upgradeWithin('6m', ...settings(replicas));
  await waitUntilSteady(platform);
  const accounts = await createAccounts(platform);
  const folder = mkdtempSync(join(tmpdir(), 'events-'));
  const file = join(folder, 'accounts.json');
  writeFileSync(
    file,
    JSON.stringify(accounts.map(({ username, password, api }) => ({ username, password, token: api.token }))),
  );
  const rows: string[] = [];
  try {
    const load = await startRequests(platform, 1500, file);
    await pause(10_000);
    for (const [event, run] of events(replicas)) {
      const startedMs = Date.now();
      await run();
      await pause(settleMs);
      rows.push(describe(event, load.readOutput(), startedMs, Date.now()));
      process.stdout.write(`${rows.at(-1)}\n`);
      if (load.child.exitCode !== null) throw new Error(`k6 ended too early: ${load.readOutput().slice(-600)}`);
    }
    load.child.kill('SIGINT');
    const { output } = await load.ended;
    const acknowledged = [...output.matchAll(/msg="acknowledged /g)].length;
    let stored = 0;
    for (const { api } of accounts) stored += (await api.get<{ files: unknown[] }>('/submission/list')).files.length;
    // The last repetitions of an upload may be cut by the end of k6.
    if (stored < acknowledged || stored > acknowledged + 10)
      throw new Error(`${acknowledged} uploads, ${stored} stored`);
    return `${acknowledged} uploads acknowledged, ${stored} stored`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const eventSteps = (platform: Platform): Step[] =>
  [1, 2].map((replicas) => ({
    name: `events with ${replicas} of each service: reads, sign-ins and uploads; no upload is lost or doubled`,
    minutes: 25,
    run: () => measure(platform, replicas),
  }));
