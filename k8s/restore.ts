// `make kube-restore`: replaces the database of a release by a backup of its volume (docs/operations.md#kubernetes).
// RELEASE (husky), NAMESPACE (husky), RUNNERS_NAMESPACE (NAMESPACE-runners), BACKUP (a name or `newest`; none: lists the backups), UNTIL
// (2026-11-23T12:00:00Z), FETCH=1 (downloads the backup from the bucket first). Uses kubectl with its current context.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const { env } = process;
const release = env.RELEASE || 'husky';
const namespace = env.NAMESPACE || 'husky';
const runnersNamespace = env.RUNNERS_NAMESPACE || `${namespace}-runners`;

class CannotRestore extends Error {}

const startedMs = performance.now();
const print = (line: string) =>
  process.stdout.write(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number };
}

interface Container {
  readonly env: readonly object[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
}

interface CronJob extends KubeObject {
  readonly spec: {
    readonly suspend?: boolean;
    readonly jobTemplate: {
      readonly spec: { readonly template: { readonly metadata: object; readonly spec: PodSpec } };
    };
  };
  readonly status?: { readonly active?: readonly object[] };
}

interface Pod extends KubeObject {
  readonly status: { readonly phase: string };
}

function kubectl(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('kubectl', args, {
    input,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 << 20,
  });
  if (status === 0) return stdout;
  throw new CannotRestore(`kubectl ${args.slice(0, 5).join(' ')}: ${stderr?.trim() || error?.message || 'no answer'}`);
}

/** Returns the objects of the release; `component`: only those of one part. */
function list<T extends KubeObject>(kind: string, component = '', inNamespace = namespace): T[] {
  const selector = `app.kubernetes.io/instance=${release}${component && `,app.kubernetes.io/component=${component}`}`;
  return (JSON.parse(kubectl(['-n', inNamespace, 'get', kind, '-l', selector, '-o', 'json'])) as { items: T[] }).items;
}

/** The state before a restore, which a second run continues after an interruption. */
const replicasNote = 'husky-holdem/replicas-before-restore';
const suspendNote = 'husky-holdem/suspended-for-restore';

const patch = ({ kind, metadata }: KubeObject, change: object) =>
  kubectl(['-n', metadata.namespace, 'patch', kind, metadata.name, '--type=merge', '-p', JSON.stringify(change)]);

function stop(workload: Workload): void {
  const replicas = workload.metadata.annotations?.[replicasNote] ?? String(workload.spec.replicas);
  patch(workload, { metadata: { annotations: { [replicasNote]: replicas } }, spec: { replicas: 0 } });
}

async function start(workloads: readonly Workload[]): Promise<void> {
  for (const workload of workloads) {
    const replicas = Number(workload.metadata.annotations?.[replicasNote] ?? workload.spec.replicas);
    patch(workload, { metadata: { annotations: { [replicasNote]: null } }, spec: { replicas } });
  }
  for (const { kind, metadata } of workloads) {
    const isReady = () => kubectl(['-n', metadata.namespace, 'rollout', 'status', kind, metadata.name, '--timeout=1s']);
    await waitFor(`${metadata.name} to be ready`, 600, () => {
      try {
        return isReady() !== '';
      } catch {
        return false;
      }
    });
  }
}

async function waitFor(description: string, seconds: number, isDone: () => boolean): Promise<void> {
  const waitedMs = performance.now();
  let reportedMs = waitedMs;
  while (!isDone()) {
    const now = performance.now();
    if (now - waitedMs > seconds * 1000) throw new CannotRestore(`Waited ${seconds} s for ${description}.`);
    if (now - reportedMs > 10_000) {
      print(`waiting for ${description}`);
      reportedMs = now;
    }
    await pause(1000);
  }
}

const waitForNoPods = (component: string, inNamespace = namespace) =>
  waitFor(`the end of the pods of ${component}`, 300, () => list('pods', component, inNamespace).length === 0);

interface Action {
  readonly command: 'list' | 'fetch' | 'verify' | 'restore' | 'wait';
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Claim of PostgreSQL's volume, for `restore`. */
  readonly dataClaim?: string;
}

const postgresFolder = '/var/lib/husky-postgres';

/** Runs an action of scripts/backup/base-main.ts in a pod like those of a CronJob, and prints its log. */
async function runInPod(cronJob: CronJob, { command, variables = {}, dataClaim }: Action): Promise<string> {
  const { metadata, spec } = cronJob.spec.jobTemplate.spec.template;
  const [container] = spec.containers;
  const added = Object.entries(variables).filter(([, value]) => value) as [string, string][];
  const mounts = container.volumeMounts.map((mount) =>
    mount.name === 'backups' ? { ...mount, readOnly: false } : mount,
  );
  const name = `${cronJob.metadata.name}-${command}`;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name, namespace },
    spec: {
      ...spec,
      // The affinity to PostgreSQL's pod cannot be met while that is stopped, and then the volumes determine the node.
      ...(list('pods', 'postgres').length === 0 && { affinity: undefined }),
      activeDeadlineSeconds: 6 * 3600,
      containers: [
        {
          ...container,
          command: ['node', 'scripts/backup/base-main.ts', command],
          env: [...container.env, ...added.map(([key, value]) => ({ name: key, value }))],
          volumeMounts: dataClaim ? [...mounts, { name: 'data', mountPath: postgresFolder }] : mounts,
        },
      ],
      volumes: dataClaim
        ? [...spec.volumes, { name: 'data', persistentVolumeClaim: { claimName: dataClaim } }]
        : spec.volumes,
    },
  };
  const remove = () => kubectl(['-n', namespace, 'delete', 'pod', name, '--ignore-not-found', '--grace-period=1']);
  remove();
  kubectl(['apply', '-f', '-'], JSON.stringify(pod));
  let phase = '';
  let log = '';
  await waitFor(`the pod ${name}`, 6 * 3600, () => {
    ({ phase } = (JSON.parse(kubectl(['-n', namespace, 'get', 'pod', name, '-o', 'json'])) as Pod).status);
    if (phase === 'Pending') return false;
    const text = kubectl(['-n', namespace, 'logs', name]);
    for (const line of text.slice(log.length).trim().split('\n')) if (line !== '') print(line);
    log = text;
    return phase !== 'Running';
  });
  if (phase !== 'Succeeded') {
    throw new CannotRestore(`The pod ${name} failed: ${log.trim().split('\n').at(-1) || 'kubectl describe shows why'}`);
  }
  remove();
  return log;
}

function findOne<T extends KubeObject>(kind: string, component: string, problem: string): T {
  const [found] = list<T>(kind, component);
  if (found !== undefined) return found;
  throw new CannotRestore(
    `The release ${release} has no ${kind} ${component} in the namespace ${namespace}: ${problem}`,
  );
}

async function restore(): Promise<void> {
  const deployments = [...list<Workload>('deployments'), ...list<Workload>('deployments', '', runnersNamespace)];
  if (deployments.length === 0)
    throw new CannotRestore(`There is no release ${release} in the namespace ${namespace}.`);
  const external = 'restore an external PostgreSQL by its own means (docs/operations.md).';
  const postgres = findOne<Workload>('statefulset', 'postgres', external);
  const cronJob = findOne<CronJob>('cronjob', 'backup', 'set backup.enabled.');
  const [bucket] = list<CronJob>('cronjob', 'copy-backups');
  if (!env.BACKUP) {
    print('set BACKUP to one of these backups or to `newest`, and UNTIL to restore an earlier point in time:');
    await runInPod(cronJob, { command: 'list' });
    return;
  }
  const cronJobs = [cronJob, ...(bucket ? [bucket] : [])];
  const busy = cronJobs.find(({ status }) => status?.active?.length);
  if (busy) throw new CannotRestore(`A job of ${busy.metadata.name} is running: wait until it has ended.`);
  if (env.FETCH && !bucket) throw new CannotRestore('FETCH needs backup.copyTo.url.');
  const choice = { BACKUP: env.BACKUP, UNTIL: env.UNTIL };
  if (env.FETCH && bucket) {
    await runInPod(bucket, { command: 'fetch', variables: { BACKUP: env.BACKUP === 'newest' ? '' : env.BACKUP } });
  }
  // Before anything is stopped.
  await runInPod(cronJob, { command: 'verify', variables: choice });

  const nats = list<Workload>('statefulset', 'nats');
  print('stopping: the site is unavailable until the end');
  for (const each of cronJobs) {
    if (!each.spec.suspend)
      patch(each, { metadata: { annotations: { [suspendNote]: 'true' } }, spec: { suspend: true } });
  }
  for (const each of deployments) stop(each);
  // The matches in play are not of the restored database, so runners need not hand them back.
  kubectl([
    '-n',
    runnersNamespace,
    'delete',
    'pods',
    '-l',
    `app.kubernetes.io/instance=${release}`,
    '--grace-period=1',
  ]);
  for (const { metadata } of deployments) {
    await waitForNoPods(metadata.labels?.['app.kubernetes.io/component'] ?? '', metadata.namespace);
  }
  for (const each of [postgres, ...nats]) stop(each);
  await waitForNoPods('postgres');
  await waitForNoPods('nats');

  const dataClaim = `data-${postgres.metadata.name}-0`;
  try {
    const variables = { ...choice, PGDATA: `${postgresFolder}/18`, REPLACE: '1' };
    await runInPod(cronJob, { command: 'restore', variables, dataClaim });
  } catch (error) {
    print('not restored: the data is unchanged, and the site is started again');
    await startAll([postgres, ...nats], deployments, cronJobs);
    throw error;
  }
  // Events of the time after the backup report changes that no longer exist. Without its volumes NATS has new streams, and the services
  // publish the events of the last hour before the backup again (outbox.ts).
  kubectl([
    '-n',
    namespace,
    'delete',
    'pvc',
    '-l',
    `app.kubernetes.io/instance=${release},app.kubernetes.io/component=nats`,
  ]);
  await start(read([postgres, ...nats]));
  await runInPod(cronJob, { command: 'wait' });
  await startAll([], deployments, cronJobs);
  print('restored');
}

/** Returns the present state of objects. */
function read<T extends KubeObject>(objects: readonly T[]): T[] {
  return objects.map(
    ({ kind, metadata }) =>
      JSON.parse(kubectl(['-n', metadata.namespace, 'get', kind, metadata.name, '-o', 'json'])) as T,
  );
}

async function startAll(
  stores: readonly Workload[],
  deployments: readonly Workload[],
  cronJobs: readonly CronJob[],
): Promise<void> {
  await start(read(stores));
  await start(read(deployments));
  for (const each of read(cronJobs)) {
    if (each.metadata.annotations?.[suspendNote] === undefined) continue;
    patch(each, { metadata: { annotations: { [suspendNote]: null } }, spec: { suspend: false } });
  }
}

await restore().catch((error: unknown) => {
  if (!(error instanceof CannotRestore)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
