import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { kubectl, namespace, release, runnersNamespace, services, tryKubectl, until } from './cluster.ts';
import { allPods, node, playingOn, podsOf } from './nodes.ts';
import { matches, type Platform } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { runnersComplete, servicesSpread, upgrade } from './steps-nodes.ts';
import { underLoad } from './steps-upgrade.ts';

/** Nodes that are drained and lost. The cluster has one node again after the last step. */
export const lostNodeSteps = (platform: Platform): Step[] => [
  { name: 'nodes: a PodDisruptionBudget refuses to evict the second replica', run: evictTwice },
  {
    name: 'nodes: a node drained during matches under constant read load: its pods move, no request fails, every match is whole',
    async run() {
      let jobs: string[] = [];
      let busy: string[] = [];
      const summary = await underLoad(platform, async () => {
        jobs = await matches(platform, 5);
        busy = await playingOn(platform, 'node2', jobs);
        await kubectl('drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=200s');
        const left = (await allPods()).filter((pod) => pod.node === 'node2');
        if (left.length > 0) throw new Error(`left: ${left.map(({ name }) => name).join(', ')}`);
        await servicesComplete(() => true);
      });
      const hands = await platform.whole(jobs, 400);
      await runnersComplete(platform, 6, 120);
      return `${busy.length} busy runners there; ${hands} hands; ${summary}`;
    },
  },
  {
    name: 'nodes: after uncordon new runners go to the empty node, and a rollout spreads the replicas of each service again',
    async run() {
      await kubectl('uncordon', 'node2');
      const there = await fill(platform);
      await kubectl('-n', namespace, 'rollout', 'restart', 'deployment');
      for (const service of services) {
        await kubectl('-n', namespace, 'rollout', 'status', `deployment/${release}-${service}`, '--timeout=180s');
      }
      await servicesSpread();
      return `${there} runners, ${(await allPods()).filter((pod) => pod.node === 'node2').length} pods in all`;
    },
  },
  {
    name: 'nodes: a node cut off during matches: matches whole, its runners replaced and not counted twice; joined again it is empty',
    minutes: 12,
    run: () => lost(platform, 'cut'),
  },
  {
    name: 'nodes: a node killed during matches: matches whole, its runners replaced and not counted twice',
    minutes: 12,
    run: () => lost(platform, 'kill'),
  },
  {
    name: 'nodes: runners on a tainted node of their own by nodeSelector and tolerations, nothing else there',
    minutes: 12,
    run: () => onTaintedNode(platform),
  },
];

async function evictTwice(): Promise<string> {
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

/** Replaces runners until node2, which was empty, has half of six. Returns their number. */
async function fill(platform: Platform): Promise<number> {
  await platform.scaled(3, 200);
  await platform.scaled(6, 200);
  await runnersComplete(platform, 6, 120);
  const there = (await podsOf('runner')).filter((pod) => pod.node === 'node2').length;
  if (there < 3) throw new Error(`${there} runners are on node2`);
  return there;
}

/** Waits until two pods of each service are ready on nodes that count. */
const servicesComplete = (counts: (node: string) => boolean) =>
  until(
    'two pods of each service',
    120,
    allPods,
    (pods) =>
      services.every(
        (service) => pods.filter((pod) => pod.component === service && pod.ready && counts(pod.node)).length === 2,
      ),
    1000,
  );

/** Loses node2 during matches. The pool must not show more runners than requested, besides those that are stopping. */
async function lost(platform: Platform, how: 'cut' | 'kill'): Promise<string> {
  const before = (await podsOf('runner')).filter((pod) => pod.node === 'node2');
  if (before.length === 0) await fill(platform);
  const jobs = await matches(platform, 5);
  const busy = await playingOn(platform, 'node2', jobs);
  const began = Date.now();
  await node(how, 'node2');
  let most = 0;
  let over = false;
  const watch = (async () => {
    while (!over) {
      // Requests to pods of the lost node fail until Kubernetes has noticed.
      const all = await platform.containers().catch(() => []);
      const names = all.map(({ container_name }) => container_name);
      if (new Set(names).size !== names.length) throw new Error(`a runner is shown twice: ${names.join(', ')}`);
      most = Math.max(most, all.filter(({ state }) => state !== 'stopping').length);
      await pause(500);
    }
  })();
  const replaced = runnersComplete(platform, 6, 240, 'node2').then(() => Date.now() - began);
  const [hands, tookMs] = await Promise.all([wholeDespite(platform, jobs), replaced]);
  over = true;
  await watch;
  if (most > 6) throw new Error(`${most} runners were shown for a size of 6`);
  await servicesComplete((where) => where !== 'node2');
  const servicesMs = Date.now() - began;
  if (how === 'cut') {
    await node('join', 'node2');
    await until(
      'node2 ready again',
      90,
      () => kubectl('get', 'node', 'node2'),
      (text) => text.includes(' Ready'),
    );
  } else await node('remove', 'node2');
  // Those that were being deleted end now, and none of them comes back.
  await until('the end of the lost pods', 120, allPods, (pods) => !pods.some(({ deleting }) => deleting), 1000);
  const after = await platform.containers();
  if (after.length !== 6) throw new Error(`afterwards ${after.length} runners are shown`);
  await platform.whole(jobs, 30);
  return `${busy.length} busy runners there; ${hands} hands; 6 runners again after ${seconds(tookMs)}, services after ${seconds(servicesMs)}`;
}

/** Waits until all matches are whole. While a node is lost, requests may fail. */
const wholeDespite = (platform: Platform, jobs: readonly string[]) =>
  until(
    'every match finished',
    420,
    async () => {
      const states = await Promise.all(jobs.map((job) => platform.status(job)));
      return states.map(({ job_status }) => job_status);
    },
    (states) => states.every((state) => ['Finished', 'Failed'].includes(state)),
    1000,
  ).then(() => platform.whole(jobs, 30));

async function onTaintedNode(platform: Platform): Promise<string> {
  await node('add', 'runners', '--zone', 'zone2', '--taint', 'husky-holdem/runners=only:NoSchedule');
  try {
    await node('images', 'runners');
    const toleration = { key: 'husky-holdem/runners', operator: 'Exists', effect: 'NoSchedule' };
    await platform.scaled(3, 200);
    await upgrade(
      ...['--set', 'runners.nodeSelector.kubernetes\\.io/hostname=runners'],
      ...['--set-json', `runners.tolerations=[${JSON.stringify(toleration)}]`],
    );
    await runnersComplete(platform, 3, 180);
    const pods = await allPods();
    const wrong = pods.filter((pod) => !pod.deleting && (pod.component === 'runner') !== (pod.node === 'runners'));
    if (wrong.length > 0) throw new Error(wrong.map(({ name, node: where }) => `${name} is on ${where}`).join(', '));
    return `${await platform.whole(await matches(platform, 2, 60), 200)} hands there`;
  } finally {
    await upgrade();
    await node('remove', 'runners');
    await kubectl('-n', runnersNamespace, 'rollout', 'status', `deployment/${release}-runner`, '--timeout=120s');
  }
}
