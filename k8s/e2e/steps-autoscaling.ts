// Autoscaling with real metrics: the gateway by its processor time, the runners by their backlog. And what gives way when a node is full.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  apply,
  call,
  chart,
  helm,
  kubectl,
  namespace,
  release,
  root,
  runnerPods,
  runnersNamespace,
  tryKubectl,
  until,
} from './cluster.ts';
import { matches, type Platform, playing } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments, upgradeWithin } from './steps-chart.ts';
import { startLoad, untilSteady } from './steps-upgrade.ts';

const gateway = `${release}-gateway`;
const runnersDownSeconds = 20;
const gatewayDownSeconds = 15;

export const autoscalingSteps = (platform: Platform): Step[] => [
  {
    name: 'autoscaling: metrics-server reports the processor time and memory of every pod',
    minutes: 15,
    async run() {
      await call(join(root, 'k8s/cluster/metrics-server.sh'), ['start'], 12 * 60_000);
      const top = async () => (await kubectl('top', 'pods', '-A', '--no-headers')).trim().split('\n');
      const running = await kubectl(
        ...['get', 'pods', '-A', '--field-selector=status.phase=Running', '-o', 'jsonpath={.items[*].metadata.name}'],
      );
      const lines = await until('metrics of all pods', 90, top, (found) => found.length >= running.split(' ').length);
      return `${lines.length} pods; ${lines.find((line) => line.includes(gateway))?.replaceAll(/\s+/g, ' ')}`;
    },
  },
  {
    name: "autoscaling: load raises the gateway's replicas, and they fall again without it",
    minutes: 10,
    run: () => gatewayUnderLoad(platform),
  },
  {
    name: 'autoscaling: a batch raises the number of runners, and it falls again after it',
    minutes: 10,
    run: () => runnersUnderBatch(platform),
  },
  {
    name: 'autoscaling: a service that has no room evicts a runner of lower priority; every match is whole',
    minutes: 12,
    run: () => runnerGivesWay(platform),
  },
];

interface Autoscaler {
  readonly current: number;
  readonly desired: number;
  readonly percent: number;
}

/** Reads the state of the gateway's HorizontalPodAutoscaler. percent: -1 without metrics. */
async function autoscaler(): Promise<Autoscaler> {
  const { status } = JSON.parse(await kubectl('-n', namespace, 'get', 'hpa', gateway, '-o', 'json')) as {
    status: {
      currentReplicas?: number;
      desiredReplicas?: number;
      currentMetrics?: { resource?: { current: { averageUtilization?: number } } }[];
    };
  };
  return {
    current: status.currentReplicas ?? 0,
    desired: status.desiredReplicas ?? 0,
    percent: status.currentMetrics?.[0]?.resource?.current.averageUtilization ?? -1,
  };
}

async function readyGateways(): Promise<number> {
  const text = await kubectl(
    ...['-n', namespace, 'get', 'deployment', gateway, '-o', 'jsonpath={.status.readyReplicas}'],
  );
  return Number(text);
}

async function gatewayUnderLoad(platform: Platform): Promise<string> {
  const settings = { enabled: true, min: 1, max: 3, cpu: 70, downSeconds: gatewayDownSeconds };
  await upgradeWithin(
    '6m',
    ...['--set-json', `services.gateway.autoscaling=${JSON.stringify(settings)}`],
    ...['--set', 'services.gateway.resources.requests.cpu=30m'],
  );
  try {
    const idle = await until('metrics and one replica', 180, autoscaler, (is) => is.percent >= 0 && is.current === 1);
    await untilSteady(platform);
    const load = await startLoad(platform);
    const began = Date.now();
    let raised: Autoscaler;
    let decidedMs: number;
    let readyMs: number;
    let summary: string;
    try {
      raised = await until('a decision for more replicas', 120, autoscaler, (is) => is.desired > 1);
      decidedMs = Date.now() - began;
      await until('three ready replicas', 180, readyGateways, (count) => count === settings.max);
      readyMs = Date.now() - began;
      // So that clients use the new replicas.
      await pause(10_000);
    } finally {
      summary = await load.end();
    }
    const ended = Date.now();
    await until('a decision for one replica', 180, autoscaler, (is) => is.desired === 1);
    const fellMs = Date.now() - ended;
    await until('one ready replica', 120, readyGateways, (count) => count === 1);
    return `${idle.percent} % -> ${raised.percent} % of the request; decided after ${seconds(decidedMs)}, ${settings.max} ready after ${seconds(readyMs)}; without load decided after ${seconds(fellMs)}; ${summary}`;
  } finally {
    await upgradeWithin('6m');
  }
}

async function runnersUnderBatch(platform: Platform): Promise<string> {
  const admin = await platform.admin();
  const settings = { minimum: 3, maximum: 6, drain_seconds: 10 };
  await platform.scaled(3, 200);
  await upgradeWithin(
    '6m',
    '--set',
    `runners.autoscaling.downSeconds=${runnersDownSeconds},runners.autoscaling.upSeconds=5`,
  );
  await untilSteady(platform);
  await admin.post('/docker/pool/autoscaling', { enabled: true, ...settings });
  try {
    const began = Date.now();
    const jobs = await matches(platform, 8);
    const requested = async () =>
      Number(
        await kubectl(
          ...['-n', runnersNamespace, 'get', `deployment/${release}-runner`, '-o', 'jsonpath={.spec.replicas}'],
        ),
      );
    const raised = await until('more requested runners', 120, requested, (size) => size > 3);
    const decidedMs = Date.now() - began;
    const atWork = async () => (await platform.containers()).filter(({ state }) => state === 'active').length;
    await until(`more than 3 runners in play`, 120, atWork, (count) => count > 3);
    const workMs = Date.now() - began;
    const hands = await platform.whole(jobs, 400);
    const ended = Date.now();
    await until('three requested runners', 200, requested, (size) => size === 3);
    const fellMs = Date.now() - ended;
    await until('three pods', 120, runnerPods, (pods) => pods.filter((pod) => !pod.deleting).length === 3);
    return `3 -> ${raised} decided after ${seconds(decidedMs)}, a fourth in play after ${seconds(workMs)}; ${jobs.length} matches, ${hands} hands; 3 again decided ${seconds(fellMs)} after the last`;
  } finally {
    await admin.post('/docker/pool/autoscaling', { enabled: false });
    await platform.scaled(3, 200);
    await upgradeWithin('6m');
  }
}

const priority = 'husky-e2e-matches';
/** What the container of the seats requests in ci/test-cluster-values.yaml. */
const seatsMillicores = 10;

/** Fills the node with three runners of low priority, all playing, and replaces the gateway by one that needs more than what is left. */
async function runnerGivesWay(platform: Platform): Promise<string> {
  await platform.scaled(3, 200);
  const free = await freeMillicores();
  const each = Math.floor((free - 100) / 3) - seatsMillicores;
  apply({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: priority },
    value: -100,
    description: 'Matches give way to services.',
  });
  const runners = [
    ...['--set', `runners.pod.priorityClassName=${priority},runners.dealer.resources.requests.cpu=${each}m`],
  ];
  try {
    await upgradeWithin('6m', ...runners);
    await until(
      'three runners of low priority',
      200,
      () => lowRunners(),
      (count) => count === 3,
    );
    const jobs = await matches(platform, 4);
    await playing(platform, jobs, 3);
    const began = Date.now();
    // Not --wait: the evicted runner's replacement finds no room.
    await helm(
      ...['upgrade', release, chart, ...installArguments, ...runners],
      ...['--set', 'services.gateway.resources.requests.cpu=300m'],
    );
    await kubectl('-n', namespace, 'rollout', 'status', `deployment/${gateway}`, '--timeout=110s');
    const tookMs = Date.now() - began;
    const evicted = await until('an evicted runner', 10, preempted, (names) => names.length > 0);
    const hands = await platform.whole(jobs, 400);
    return `3 runners with ${each}m each; the gateway was replaced in ${seconds(tookMs)}; evicted: ${evicted.join(', ')}; ${hands} hands`;
  } finally {
    await upgradeWithin('6m');
    await until(
      'three ready runners',
      200,
      runnerPods,
      (pods) => pods.filter((pod) => pod.ready && !pod.deleting).length === 3,
    );
    tryKubectl('delete', 'priorityclass', priority);
  }
}

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Record<string, string> };
    readonly spec: {
      readonly priority?: number;
      readonly containers: readonly Container[];
      readonly initContainers?: readonly (Container & { readonly restartPolicy?: string })[];
    };
    readonly status: { readonly phase: string };
  }[];
}

interface Container {
  readonly resources: { readonly requests?: { readonly cpu?: string } };
}

const millicores = (cpu = '0') => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);

/** Returns the processor time of the node that no pod but the runners has requested, in thousandths of a core. */
async function freeMillicores(): Promise<number> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-A', '-o', 'json')) as Pods;
  const used = items
    .filter(
      ({ metadata, status }) =>
        metadata.namespace !== runnersNamespace && ['Running', 'Pending'].includes(status.phase),
    )
    .flatMap(({ spec }) => [
      ...spec.containers,
      ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ])
    .reduce((total, { resources }) => total + millicores(resources.requests?.cpu), 0);
  const all = await kubectl('get', 'node', 'node1', '-o', 'jsonpath={.status.allocatable.cpu}');
  return millicores(all) - used;
}

async function lowRunners(): Promise<number> {
  const ready = (await runnerPods()).filter((pod) => pod.ready && !pod.deleting).map(({ name }) => name);
  const { items } = JSON.parse(await kubectl('-n', runnersNamespace, 'get', 'pods', '-o', 'json')) as Pods;
  return items.filter(({ metadata, spec }) => spec.priority === -100 && ready.includes(metadata.name)).length;
}

/** Returns the names of runners that the scheduler has evicted. */
async function preempted(): Promise<string[]> {
  const text = await kubectl(
    ...['-n', runnersNamespace, 'get', 'events', '--field-selector=reason=Preempted', '-o', 'json'],
  );
  const { items } = JSON.parse(text) as { items: { involvedObject: { name: string } }[] };
  return items.map(({ involvedObject }) => involvedObject.name);
}
