// Measures the resources that the pool service uses: calls to the API server, processor time and memory.
import { apply, kubectl, namespace, release, waitUntil } from './cluster.ts';

const callKinds: readonly {
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  readonly verbs: string[];
}[] = [
  { name: 'pods-list', group: '', resource: 'pods', verbs: ['list'] },
  { name: 'pods-watch', group: '', resource: 'pods', verbs: ['watch'] },
  { name: 'pods-patch', group: '', resource: 'pods', verbs: ['patch'] },
  { name: 'pods-log', group: '', resource: 'pods/log', verbs: ['get'] },
  { name: 'scale-get', group: 'apps', resource: 'deployments/scale', verbs: ['get'] },
  { name: 'scale-put', group: 'apps', resource: 'deployments/scale', verbs: ['update', 'patch'] },
  { name: 'leases', group: 'coordination.k8s.io', resource: 'leases', verbs: ['*'] },
];

/**
 * Makes the API server count the pool's requests, because its metrics have no label for the client: creates one FlowSchema for each
 * kind of call, with the priority level that service accounts have anyway.
 */
export async function countCalls(): Promise<void> {
  const subject = { kind: 'ServiceAccount', serviceAccount: { namespace, name: `${release}-pool` } };
  const items = callKinds.map(({ name, group, resource, verbs }) => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: `husky-pool-${name}` },
    spec: {
      matchingPrecedence: 5000,
      priorityLevelConfiguration: { name: 'workload-low' },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [subject],
          resourceRules: [{ apiGroups: [group], resources: [resource], verbs, namespaces: ['*'] }],
        },
      ],
    },
  }));
  apply({ apiVersion: 'v1', kind: 'List', items });
  await waitUntil("the pool's requests are counted", 30, readCalls, (calls) => (calls.get('leases') ?? 0) > 0);
}

export async function stopCounting(): Promise<void> {
  await kubectl('delete', 'flowschema', '--ignore-not-found', ...callKinds.map(({ name }) => `husky-pool-${name}`));
}

async function readCalls(): Promise<Map<string, number>> {
  const text = await kubectl('get', '--raw', '/metrics');
  const line = /^apiserver_flowcontrol_dispatched_requests_total\{flow_schema="husky-pool-([^"]+)".*\} (\S+)$/gm;
  return new Map([...text.matchAll(line)].map(([, name = '', count]) => [name, Number(count)]));
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string };
    readonly cpu?: { readonly usageCoreNanoSeconds?: number };
    readonly memory?: { readonly workingSetBytes?: number };
  }[];
}

interface Usage {
  readonly cpuSeconds: number;
  readonly memoryMib: number;
}

const measuredServices = ['pool', 'simulation'] as const;

async function readUsage(): Promise<Usage[]> {
  const text = await kubectl('get', '--raw', '/api/v1/nodes/node1/proxy/stats/summary?only_cpu_and_memory=true');
  const { pods } = JSON.parse(text) as Summary;
  return measuredServices.map((service) => {
    const servicePods = pods.filter(({ podRef }) => podRef.name.startsWith(`${release}-${service}-`));
    const sum = (select: (pod: Summary['pods'][number]) => number | undefined) =>
      servicePods.reduce((total, pod) => total + (select(pod) ?? 0), 0);
    return {
      cpuSeconds: sum(({ cpu }) => cpu?.usageCoreNanoSeconds) / 1e9,
      memoryMib: sum(({ memory }) => memory?.workingSetBytes) / 2 ** 20,
    };
  });
}

/** Runs an action. Returns its result, and a sentence with the resources that pool and simulation used during it. */
export async function measureCosts<T>(action: () => Promise<T>): Promise<{ result: T; costs: string }> {
  const before = await readUsage();
  const callsBefore = await readCalls();
  const peaksMib = before.map(({ memoryMib }) => memoryMib);
  const updatePeaks = (usage: readonly Usage[]) => {
    for (const [at, { memoryMib }] of usage.entries()) peaksMib[at] = Math.max(peaksMib[at] ?? 0, memoryMib);
  };
  const timer = setInterval(() => void readUsage().then(updatePeaks, () => undefined), 2000);
  try {
    const result = await action();
    const [after, callsAfter] = [await readUsage(), await readCalls()];
    updatePeaks(after);
    const calls = callKinds.map(
      ({ name }) => [name, (callsAfter.get(name) ?? 0) - (callsBefore.get(name) ?? 0)] as const,
    );
    const total = calls.reduce((sum, [, count]) => sum + count, 0);
    const counts = calls.flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : [])).join(', ');
    const usages = measuredServices.map((service, at) => {
      const cpu = (after[at]?.cpuSeconds ?? 0) - (before[at]?.cpuSeconds ?? 0);
      return `${service} ${cpu.toFixed(1)} s of processor time, at most ${peaksMib[at]?.toFixed(0)} MiB`;
    });
    return { result, costs: `pool made ${total} API calls (${counts}); ${usages.join('; ')}` };
  } finally {
    clearInterval(timer);
  }
}
