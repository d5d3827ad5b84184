import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  kubectl,
  namespace,
  release,
  runnersNamespace,
  services,
  tryKubectl,
  waitForRollout,
  waitUntil,
} from './cluster.ts';
import { allPods, node, podsOf, waitUntilPlayingOn } from './nodes.ts';
import { type Platform, startMatches } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgrade, verifyServicesSpread, waitForRunners } from './steps-nodes.ts';
import { underLoad } from './steps-upgrade.ts';

/** Steps with drained and lost nodes. After the last one the cluster has one node. */
export const lostNodeSteps = (platform: Platform): Step[] => [
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
        await waitForServices(() => true);
      });
      const hands = await platform.verifyMatches(jobs, 400);
      await waitForRunners(platform, 6, 120);
      return `${busy.length} busy runners on it; ${hands} hands; ${summary}`;
    },
  },
  {
    name: 'nodes: after uncordon new runners go to the empty node, and a rollout spreads the replicas of each service again',
    async run() {
      await kubectl('uncordon', 'node2');
      const runnersOnNode = await fillNode2(platform);
      await kubectl('-n', namespace, 'rollout', 'restart', 'deployment');
      for (const service of services) await waitForRollout(namespace, `deployment/${release}-${service}`);
      await verifyServicesSpread();
      return `${runnersOnNode} runners, ${(await allPods()).filter((pod) => pod.node === 'node2').length} pods in all`;
    },
  },
  {
    name: 'nodes: a node disconnected during matches: every match complete, its runners replaced and not counted twice; its old pods end after it is reconnected',
    minutes: 12,
    run: () => loseNode(platform, 'disconnect'),
  },
  {
    name: 'nodes: a node killed during matches: every match complete, its runners replaced and not counted twice',
    minutes: 12,
    run: () => loseNode(platform, 'kill'),
  },
  {
    name: 'nodes: nodeSelector and tolerations place the runners, and nothing else, on a tainted node',
    minutes: 12,
    run: () => runOnTaintedNode(platform),
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

/** Scales down and up again, so that the scheduler places half of six runners on the empty node2. Returns their number. */
async function fillNode2(platform: Platform): Promise<number> {
  await platform.scaleAndWait(3, 200);
  await platform.scaleAndWait(6, 200);
  await waitForRunners(platform, 6, 120);
  const count = (await podsOf('runner')).filter((pod) => pod.node === 'node2').length;
  if (count < 3) throw new Error(`${count} runners are on node2`);
  return count;
}

/** Waits until two pods of each service are ready on nodes that `includes` accepts. */
const waitForServices = (includes: (node: string) => boolean) =>
  waitUntil(
    'two pods of each service',
    120,
    allPods,
    (pods) =>
      services.every(
        (service) => pods.filter((pod) => pod.component === service && pod.ready && includes(pod.node)).length === 2,
      ),
    1000,
  );

/** Disconnects or kills node2 during matches. Throws if the pool shows more runners than requested, not counting those that are stopping. */
async function loseNode(platform: Platform, how: 'disconnect' | 'kill'): Promise<string> {
  const before = (await podsOf('runner')).filter((pod) => pod.node === 'node2');
  if (before.length === 0) await fillNode2(platform);
  const jobs = await startMatches(platform, 5);
  const busy = await waitUntilPlayingOn(platform, 'node2', jobs);
  const startedMs = Date.now();
  await node(how, 'node2');
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
  const replaced = waitForRunners(platform, 6, 240, 'node2').then(() => Date.now() - startedMs);
  const [hands, tookMs] = await Promise.all([verifyMatchesDespiteErrors(platform, jobs), replaced]);
  done = true;
  await watch;
  if (maxShown > 6) throw new Error(`${maxShown} runners were shown for a size of 6`);
  await waitForServices((where) => where !== 'node2');
  const servicesMs = Date.now() - startedMs;
  if (how === 'disconnect') {
    await node('reconnect', 'node2');
    await waitUntil(
      'node2 ready again',
      90,
      () => kubectl('get', 'node', 'node2'),
      (text) => text.includes(' Ready'),
    );
  } else await node('remove', 'node2');
  // The pods that were being deleted must end now, and none of them may return.
  await waitUntil('the end of the lost pods', 120, allPods, (pods) => !pods.some(({ deleting }) => deleting), 1000);
  const after = await platform.containers();
  if (after.length !== 6) throw new Error(`afterwards ${after.length} runners are shown`);
  await platform.verifyMatches(jobs, 30);
  return `${busy.length} busy runners on it; ${hands} hands; 6 runners again after ${seconds(tookMs)}, services after ${seconds(servicesMs)}`;
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

async function runOnTaintedNode(platform: Platform): Promise<string> {
  await node('add', 'runners', '--zone', 'zone2', '--taint', 'husky-holdem/runners=only:NoSchedule');
  try {
    await node('images', 'runners');
    const toleration = { key: 'husky-holdem/runners', operator: 'Exists', effect: 'NoSchedule' };
    await platform.scaleAndWait(3, 200);
    await upgrade(
      '--set',
      'runners.nodeSelector.kubernetes\\.io/hostname=runners',
      '--set-json',
      `runners.tolerations=[${JSON.stringify(toleration)}]`,
    );
    await waitForRunners(platform, 3, 180);
    const pods = await allPods();
    const misplaced = pods.filter((pod) => !pod.deleting && (pod.component === 'runner') !== (pod.node === 'runners'));
    if (misplaced.length > 0)
      throw new Error(misplaced.map(({ name, node: where }) => `${name} is on ${where}`).join(', '));
    return `${await platform.verifyMatches(await startMatches(platform, 2, 60), 200)} hands on it`;
  } finally {
    await upgrade();
    await node('remove', 'runners');
    await kubectl('-n', runnersNamespace, 'rollout', 'status', `deployment/${release}-runner`, '--timeout=120s');
  }
}
