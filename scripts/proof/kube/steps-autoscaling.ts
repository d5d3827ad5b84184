// Autoscaling with real metrics: the gateway by processor time, the runners by backlog; and eviction by priority on a full node.
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
  waitUntil,
} from './cluster.ts';
import { type Platform, startMatches, waitUntilPlaying } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments, upgradeWithin } from './steps-chart.ts';
import { startLoad, waitUntilSteady } from './steps-upgrade.ts';

const gateway = `${release}-gateway`;
const runnersDownSeconds = 20;
const gatewayDownSeconds = 15;

export const autoscalingSteps = (platform: Platform): Step[] => [
  {
    name: 'autoscaling: metrics-server reports the processor time and memory of every pod',
    minutes: 15,
    async run() {
      await call(join(root, 'scripts/proof/cluster/metrics-server.sh'), ['start'], 12 * 60_000);
      const top = async () => (await kubectl('top', 'pods', '-A', '--no-headers')).trim().split('\n');
      const running = await kubectl(
        'get',
        'pods',
        '-A',
        '--field-selector=status.phase=Running',
        '-o',
        'jsonpath={.items[*].metadata.name}',
      );
      const lines = await waitUntil(
        'metrics of all pods',
        90,
        top,
        (found) => found.length >= running.split(' ').length,
      );
      return `${lines.length} pods; ${lines.find((line) => line.includes(gateway))?.replaceAll(/\s+/g, ' ')}`;
    },
  },
  {
    name: 'autoscaling: load scales the gateway up, and it scales down without load',
    minutes: 10,
    run: () => scaleGatewayUnderLoad(platform),
  },
  {
    name: 'autoscaling: a batch scales the runners up, and they scale down after it',
    minutes: 10,
    run: () => scaleRunnersUnderBatch(platform),
  },
  {
    name: 'autoscaling: a service without free capacity evicts a runner of lower priority, and every match is complete',
    minutes: 12,
    run: () => evictRunnerForGateway(platform),
  },
];

interface AutoscalerState {
  readonly current: number;
  readonly desired: number;
  readonly percent: number;
}

/** Reads the state of the gateway's HorizontalPodAutoscaler. `percent` is -1 without metrics. */
async function readAutoscaler(): Promise<AutoscalerState> {
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

async function countReadyGateways(): Promise<number> {
  const text = await kubectl('-n', namespace, 'get', 'deployment', gateway, '-o', 'jsonpath={.status.readyReplicas}');
  return Number(text);
}

async function scaleGatewayUnderLoad(platform: Platform): Promise<string> {
  const settings = { enabled: true, min: 1, max: 3, cpu: 70, downSeconds: gatewayDownSeconds };
  await upgradeWithin(
    '6m',
    '--set-json',
    `services.gateway.autoscaling=${JSON.stringify(settings)}`,
    '--set',
    'services.gateway.resources.requests.cpu=30m',
  );
  try {
    const idle = await waitUntil(
      'metrics and one replica',
      180,
      readAutoscaler,
      (state) => state.percent >= 0 && state.current === 1,
    );
    await waitUntilSteady(platform);
    const load = await startLoad(platform);
    const startedMs = Date.now();
    let raised: AutoscalerState;
    let decidedMs: number;
    let readyMs: number;
    let summary: string;
    try {
      raised = await waitUntil('a decision for more replicas', 120, readAutoscaler, (state) => state.desired > 1);
      decidedMs = Date.now() - startedMs;
      await waitUntil('three ready replicas', 180, countReadyGateways, (count) => count === settings.max);
      readyMs = Date.now() - startedMs;
      // Lets clients use the new replicas.
      await pause(10_000);
    } finally {
      summary = await load.stop();
    }
    const loadEndedMs = Date.now();
    await waitUntil('a decision for one replica', 180, readAutoscaler, (state) => state.desired === 1);
    const scaledDownMs = Date.now() - loadEndedMs;
    await waitUntil('one ready replica', 120, countReadyGateways, (count) => count === 1);
    return `${idle.percent} % -> ${raised.percent} % of the request; decided after ${seconds(decidedMs)}, ${settings.max} ready after ${seconds(readyMs)}; without load decided after ${seconds(scaledDownMs)}; ${summary}`;
  } finally {
    await upgradeWithin('6m');
  }
}

async function scaleRunnersUnderBatch(platform: Platform): Promise<string> {
  const admin = await platform.admin();
  const settings = { minimum: 3, maximum: 6, drain_seconds: 10 };
  await platform.scaleAndWait(3, 200);
  await upgradeWithin(
    '6m',
    '--set',
    `runners.autoscaling.downSeconds=${runnersDownSeconds},runners.autoscaling.upSeconds=5`,
  );
  await waitUntilSteady(platform);
  await admin.post('/docker/pool/autoscaling', { enabled: true, ...settings });
  try {
    const startedMs = Date.now();
    const jobs = await startMatches(platform, 8);
    const readRequested = async () =>
      Number(
        await kubectl('-n', runnersNamespace, 'get', `deployment/${release}-runner`, '-o', 'jsonpath={.spec.replicas}'),
      );
    const raised = await waitUntil('more requested runners', 120, readRequested, (size) => size > 3);
    const decidedMs = Date.now() - startedMs;
    const countBusy = async () => (await platform.containers()).filter(({ state }) => state === 'active').length;
    await waitUntil(`more than 3 busy runners`, 120, countBusy, (count) => count > 3);
    const fourthBusyMs = Date.now() - startedMs;
    const hands = await platform.verifyMatches(jobs, 400);
    const batchEndedMs = Date.now();
    await waitUntil('three requested runners', 200, readRequested, (size) => size === 3);
    const scaledDownMs = Date.now() - batchEndedMs;
    await waitUntil('three pods', 120, runnerPods, (pods) => pods.filter((pod) => !pod.deleting).length === 3);
    return `3 -> ${raised} decided after ${seconds(decidedMs)}, a fourth busy after ${seconds(fourthBusyMs)}; ${jobs.length} matches, ${hands} hands; 3 again decided ${seconds(scaledDownMs)} after the last match`;
  } finally {
    await admin.post('/docker/pool/autoscaling', { enabled: false });
    await platform.scaleAndWait(3, 200);
    await upgradeWithin('6m');
  }
}

const priority = 'husky-e2e-matches';
/** CPU request of the seats' container in ci/test-cluster-values.yaml. */
const seatsMillicores = 10;

/** Fills the node with three busy runners of low priority, and replaces the gateway by one that requests more than the free processor time. */
async function evictRunnerForGateway(platform: Platform): Promise<string> {
  await platform.scaleAndWait(3, 200);
  const free = await readFreeMillicores();
  const dealerMillicores = Math.floor((free - 100) / 3) - seatsMillicores;
  apply({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: priority },
    value: -100,
    description: 'Matches have a lower priority than services.',
  });
  const runners = [
    '--set',
    `runners.pod.priorityClassName=${priority},runners.dealer.resources.requests.cpu=${dealerMillicores}m`,
  ];
  try {
    await upgradeWithin('6m', ...runners);
    await waitUntil(
      'three runners of low priority',
      200,
      () => countLowPriorityRunners(),
      (count) => count === 3,
    );
    const jobs = await startMatches(platform, 4);
    await waitUntilPlaying(platform, jobs, 3);
    const startedMs = Date.now();
    // Without --wait: the evicted runner's replacement cannot be scheduled.
    await helm(
      'upgrade',
      release,
      chart,
      ...installArguments,
      ...runners,
      '--set',
      'services.gateway.resources.requests.cpu=300m',
    );
    await kubectl('-n', namespace, 'rollout', 'status', `deployment/${gateway}`, '--timeout=110s');
    const tookMs = Date.now() - startedMs;
    const evicted = await waitUntil('an evicted runner', 10, listPreemptedRunners, (names) => names.length > 0);
    const hands = await platform.verifyMatches(jobs, 400);
    return `3 runners with ${dealerMillicores}m each; the gateway was replaced in ${seconds(tookMs)}; evicted: ${evicted.join(', ')}; ${hands} hands`;
  } finally {
    await upgradeWithin('6m');
    await waitUntil(
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

/** Returns the processor time of node1 that is not requested by pods other than runners, in thousandths of a core. */
async function readFreeMillicores(): Promise<number> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-A', '-o', 'json')) as Pods;
  const requested = items
    .filter(
      ({ metadata, status }) =>
        metadata.namespace !== runnersNamespace && ['Running', 'Pending'].includes(status.phase),
    )
    .flatMap(({ spec }) => [
      ...spec.containers,
      ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ])
    .reduce((total, { resources }) => total + millicores(resources.requests?.cpu), 0);
  const allocatable = await kubectl('get', 'node', 'node1', '-o', 'jsonpath={.status.allocatable.cpu}');
  return millicores(allocatable) - requested;
}

async function countLowPriorityRunners(): Promise<number> {
  const ready = (await runnerPods()).filter((pod) => pod.ready && !pod.deleting).map(({ name }) => name);
  const { items } = JSON.parse(await kubectl('-n', runnersNamespace, 'get', 'pods', '-o', 'json')) as Pods;
  return items.filter(({ metadata, spec }) => spec.priority === -100 && ready.includes(metadata.name)).length;
}

/** Returns the names of the runners that the scheduler has preempted. */
async function listPreemptedRunners(): Promise<string[]> {
  const text = await kubectl(
    '-n',
    runnersNamespace,
    'get',
    'events',
    '--field-selector=reason=Preempted',
    '-o',
    'json',
  );
  const { items } = JSON.parse(text) as { items: { involvedObject: { name: string } }[] };
  return items.map(({ involvedObject }) => involvedObject.name);
}
