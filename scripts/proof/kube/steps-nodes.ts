// docs/operations.md, Replicas of each part and Recover: a second node on this machine, drained and lost.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { kubectl, namespace, release, services, tryKubectl, waitForRollout, waitUntil } from './cluster.ts';
import { allPods, node, podsOf, waitUntilPlayingOn } from './nodes.ts';
import { type Platform, startMatches } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { underLoad } from './steps-upgrade.ts';

const runners = 6;
const twoReplicas = services.flatMap((service) => ['--set', `services.${service}.replicas=2`]);

/** Waits until exactly six runners are ready and have requested work, not counting those on `lostNode`. */
async function waitForRunners(platform: Platform, maxSeconds: number, lostNode = ''): Promise<void> {
  await waitUntil(
    `${runners} runners that have requested work`,
    maxSeconds,
    async () => {
      const ready = (await podsOf('runner'))
        .filter((pod) => pod.ready && pod.node !== lostNode)
        .map(({ name }) => name);
      const shown = (await platform.containers()).filter(({ state }) => !['starting', 'stopping'].includes(state));
      return { ready, shown: shown.map(({ container_name }) => container_name).filter((name) => ready.includes(name)) };
    },
    ({ ready, shown }) => ready.length === runners && shown.length === runners,
  );
}

/** Waits until two pods of each service are ready, not counting those on `lostNode`. */
const waitForServices = (lostNode = '') =>
  waitUntil(
    'two pods of each service',
    120,
    allPods,
    (pods) =>
      services.every(
        (service) => pods.filter((pod) => pod.component === service && pod.ready && pod.node !== lostNode).length === 2,
      ),
    1000,
  );

/** Steps that need each other. After the last one the cluster has one node. */
export const nodeSteps = (platform: Platform): Step[] => [
  {
    name: 'nodes: two replicas of each service and six runners are spread evenly over two nodes and zones',
    required: true,
    async run() {
      if (!(await node('list')).split('\n').includes('node2')) await node('add', 'node2', 'zone2');
      await node('images', 'node2');
      await upgradeWithin('6m', ...twoReplicas);
      await platform.scaleAndWait(runners, 200);
      await waitForRunners(platform, 120);
      const pods = (await allPods()).filter(({ deleting }) => !deleting);
      for (const service of services) {
        const nodes = pods.filter(({ component }) => component === service).map((pod) => pod.node);
        if (new Set(nodes).size !== 2) throw new Error(`${service} is on ${nodes.join(', ')}`);
      }
      const count = (await podsOf('runner')).filter((pod) => pod.node === 'node2').length;
      if (count !== runners / 2) throw new Error(`${count} of ${runners} runners are on node2`);
    },
  },
  { name: 'nodes: a PodDisruptionBudget refuses to evict the second replica', run: refuseSecondEviction },
  {
    name: 'nodes: a node drained during matches under constant read load: its pods move, no request fails, every match is complete',
    async run() {
      let jobs: string[] = [];
      let busy: string[] = [];
      const summary = await underLoad(platform, async () => {
        jobs = await startMatches(platform, 5);
        busy = await waitUntilPlayingOn(platform, 'node2', jobs);
        await kubectl('drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=200s');
        const remaining = (await allPods()).filter((pod) => pod.node === 'node2');
        if (remaining.length > 0) throw new Error(`still there: ${remaining.map(({ name }) => name).join(', ')}`);
        await waitForServices();
      });
      const hands = await platform.verifyMatches(jobs, 400);
      await waitForRunners(platform, 120);
      return `${busy.length} busy runners on it; ${hands} hands; ${summary}`;
    },
  },
  {
    name: 'nodes: a node killed during matches: every match complete, its runners replaced and not counted twice',
    minutes: 14,
    run: () => loseNode(platform),
  },
  {
    name: 'nodes: the cluster has one node again',
    always: true,
    async run() {
      if ((await node('list')).split('\n').includes('node2')) await node('remove', 'node2');
      await upgradeWithin('6m');
    },
  },
];

async function refuseSecondEviction(): Promise<string> {
  const [first, second] = await podsOf('gateway');
  if (first === undefined || second === undefined) throw new Error('there are no two gateways');
  const file = join(tmpdir(), `husky-eviction-${process.pid}.json`);
  const evict = (name: string) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    writeFileSync(file, JSON.stringify(eviction));
    return tryKubectl('create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '-f', file);
  };
  try {
    const accepted = evict(first.name);
    if (!accepted.ok) throw new Error(accepted.text);
    const refused = evict(second.name);
    if (refused.ok || !refused.text.includes('disruption budget')) throw new Error(`not refused: ${refused.text}`);
    await kubectl('-n', namespace, 'rollout', 'status', `deployment/${release}-gateway`, '--timeout=120s');
    return refused.text.slice(0, 120);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Kills node2 during matches. Throws if the pool shows more runners than requested, not counting those that are stopping. */
async function loseNode(platform: Platform): Promise<string> {
  await kubectl('uncordon', 'node2');
  // Restarts the services and scales down and up again, so that the scheduler uses the empty node2.
  await kubectl('-n', namespace, 'rollout', 'restart', 'deployment');
  for (const service of services) await waitForRollout(namespace, `deployment/${release}-${service}`);
  await platform.scaleAndWait(runners / 2, 200);
  await platform.scaleAndWait(runners, 200);
  await waitForRunners(platform, 120);
  const jobs = await startMatches(platform, 5);
  const busy = await waitUntilPlayingOn(platform, 'node2', jobs);
  const startedMs = Date.now();
  await node('kill', 'node2');
  let maxShown = 0;
  let done = false;
  const watch = (async () => {
    while (!done) {
      // Requests to pods of the lost node fail until Kubernetes has detected the loss.
      const all = await platform.containers().catch(() => []);
      const names = all.map(({ container_name }) => container_name);
      if (new Set(names).size !== names.length) throw new Error(`a runner is shown twice: ${names.join(', ')}`);
      maxShown = Math.max(maxShown, all.filter(({ state }) => state !== 'stopping').length);
      await pause(500);
    }
  })();
  const replaced = waitForRunners(platform, 240, 'node2').then(() => Date.now() - startedMs);
  const [hands, tookMs] = await Promise.all([verifyMatchesDespiteErrors(platform, jobs), replaced]);
  done = true;
  await watch;
  if (maxShown > runners) throw new Error(`${maxShown} runners were shown for a size of ${runners}`);
  await waitForServices('node2');
  const servicesMs = Date.now() - startedMs;
  await node('remove', 'node2');
  // The pods that were being deleted must end now, and none of them may return.
  await waitUntil('the end of the lost pods', 120, allPods, (pods) => !pods.some(({ deleting }) => deleting), 1000);
  const after = await platform.containers();
  if (after.length !== runners) throw new Error(`afterwards ${after.length} runners are shown`);
  return `${busy.length} busy runners on it; ${hands} hands; ${runners} runners again after ${seconds(tookMs)}, services after ${seconds(servicesMs)}`;
}

/** Verifies the matches. Retries failed requests, because requests may fail while a node is lost. */
const verifyMatchesDespiteErrors = (platform: Platform, jobs: readonly string[]) =>
  waitUntil(
    'every match finished',
    420,
    async () => {
      const states = await Promise.all(jobs.map((job) => platform.status(job)));
      return states.map(({ job_status }) => job_status);
    },
    (states) => states.every((state) => ['Finished', 'Failed'].includes(state)),
    1000,
  ).then(() => platform.verifyMatches(jobs, 30));
