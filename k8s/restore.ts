// `make kube-restore`: replaces the database of a release by a backup of its volume (docs/operations.md#restore-on-kubernetes).
// RELEASE (husky), NAMESPACE (husky), BACKUP (a name or `newest`; none: lists the backups), UNTIL (2026-11-23T12:00:00Z), TIMELINE (`current`),
// FETCH=1 (downloads the backup from the bucket first), FETCH_URL (another bucket than that of the release), UNDO=1 (brings back the data before
// the last restore), NATS_CLEARED=1 (with an external NATS: its streams are deleted). Uses kubectl with its current context.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const { env } = process;
const release = env.RELEASE || 'husky';
const namespace = env.NAMESPACE || 'husky';

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
    readonly deletionTimestamp?: string;
  };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes?: readonly { readonly name: string }[];
}

interface PodTemplate {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number; readonly template: PodTemplate };
}

interface CronJob extends KubeObject {
  readonly spec: {
    readonly suspend?: boolean;
    readonly jobTemplate: { readonly spec: { readonly template: PodTemplate } };
  };
}

interface Job extends KubeObject {
  readonly spec: { readonly template: PodTemplate };
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface Pod extends KubeObject {
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
  };
}

function kubectl(args: readonly string[], input?: string): string {
  const options = { input, encoding: 'utf8', timeout: 120_000, maxBuffer: 64 << 20 } as const;
  const { status, stdout, stderr, error } = spawnSync('kubectl', args, options);
  if (status === 0) return stdout;
  throw new CannotRestore(`kubectl ${args.slice(0, 5).join(' ')}: ${stderr?.trim() || error?.message || 'no answer'}`);
}

const selectorOf = (component: string) =>
  `app.kubernetes.io/instance=${release}${component && `,app.kubernetes.io/component=${component}`}`;

/** Returns the objects of the release; `component`: only those of one part. */
function list<T extends KubeObject>(kind: string, component = '', inNamespace = namespace): T[] {
  const text = kubectl(['-n', inNamespace, 'get', kind, '-l', selectorOf(component), '-o', 'json']);
  return (JSON.parse(text) as { items: T[] }).items;
}

/** Returns the present state of objects. */
const read = <T extends KubeObject>(objects: readonly T[]) =>
  objects.map(({ kind, metadata: { namespace: inNamespace, name } }) =>
    JSON.parse(kubectl(['-n', inNamespace, 'get', kind, name, '-o', 'json'])),
  ) as T[];

const patch = ({ kind, metadata }: KubeObject, change: object) =>
  kubectl(['-n', metadata.namespace, 'patch', kind, metadata.name, '--type=merge', '-p', JSON.stringify(change)]);

const annotate = (object: KubeObject, name: string, value: string | null, spec?: object) =>
  patch(object, { metadata: { annotations: { [name]: value } }, ...(spec && { spec }) });

// Annotations by which a second run continues after an interruption.
const replicasNote = 'husky-holdem/replicas-before-restore';
const suspendNote = 'husky-holdem/suspended-for-restore';
/** On PostgreSQL's StatefulSet: its data folder has this backup, and the restore is not complete. */
const restoredNote = 'husky-holdem/restored';

const failedReadsMs = 120_000;

/** Polls until `isDone`. A failed kubectl is repeated for two minutes. */
async function waitFor(description: string, seconds: number, isDone: () => boolean): Promise<void> {
  const waitedMs = performance.now();
  let reportedMs = waitedMs;
  let answeredMs = waitedMs;
  for (;;) {
    try {
      if (isDone()) return;
      answeredMs = performance.now();
    } catch (error) {
      if (performance.now() - answeredMs > failedReadsMs || !isFailedCall(error)) throw error;
    }
    const now = performance.now();
    if (now - waitedMs > seconds * 1000) throw new CannotRestore(`Waited ${seconds} s for ${description}.`);
    if (now - reportedMs > 10_000) {
      print(`waiting for ${description}`);
      reportedMs = now;
    }
    await pause(1000);
  }
}

const isFailedCall = (error: unknown) => error instanceof CannotRestore && error.message.startsWith('kubectl ');

function stop(workload: Workload): void {
  const replicas = workload.metadata.annotations?.[replicasNote] ?? String(workload.spec.replicas);
  annotate(workload, replicasNote, replicas, { replicas: 0 });
}

function start(workloads: readonly Workload[]): void {
  for (const workload of read(workloads)) {
    const replicas = Number(workload.metadata.annotations?.[replicasNote] ?? workload.spec.replicas);
    annotate(workload, replicasNote, null, { replicas });
  }
}

async function waitUntilReady(workloads: readonly Workload[]): Promise<void> {
  for (const { kind, metadata } of workloads) {
    const status = ['-n', metadata.namespace, 'rollout', 'status', kind, metadata.name, '--timeout=1s'];
    await waitFor(`${metadata.name} to be ready`, 600, () => spawnSync('kubectl', status).status === 0);
  }
}

const isRunning = ({ status }: Pod) => status.phase !== 'Failed' && status.phase !== 'Succeeded';

async function waitForNoPods(component: string, inNamespace = namespace): Promise<void> {
  let left: Pod[] = [];
  const isDone = () => {
    left = list<Pod>('pods', component, inNamespace).filter(isRunning);
    return left.length === 0;
  };
  await waitFor(`the end of the pods of ${component}`, 300, isDone).catch((error: unknown) => {
    if (left.length === 0) throw error;
    const pods = left.map(({ metadata, spec }) => `${metadata.name} on ${spec.nodeName ?? 'no node'}`).join(', ');
    throw new CannotRestore(
      `These pods do not end: ${pods}. If their node is lost, and only then: kubectl -n ${inNamespace} delete pod --force ${left.map(({ metadata }) => metadata.name).join(' ')}. Then run this again.`,
    );
  });
}

interface Action {
  readonly command: 'list' | 'fetch' | 'verify' | 'restore' | 'undo' | 'wait';
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Claim of PostgreSQL's volume, for `restore` and `undo`. */
  readonly dataClaim?: string;
  /** Called while the action runs; throws to end it. */
  readonly check?: () => void;
}

const postgresFolder = '/var/lib/husky-postgres';
const startSeconds = 300;

const podName = (cronJob: CronJob, command: string) => `${cronJob.metadata.name}-${command}`;
const removePod = (name: string) =>
  kubectl(['-n', namespace, 'delete', 'pod', name, '--ignore-not-found', '--grace-period=1']);

function describePending({ status }: Pod): string {
  const [container] = status.containerStatuses ?? [];
  const waiting = container?.state.waiting;
  const condition = status.conditions?.find((one) => one.status === 'False' && one.message)?.message;
  return [waiting?.reason, waiting?.message, condition].filter(Boolean).join(': ') || 'no reason is known';
}

/** Runs an action of scripts/backup/base-main.ts in a pod like those of a CronJob, and prints its log. Returns the log. */
async function runInPod(cronJob: CronJob, { command, variables = {}, dataClaim, check }: Action): Promise<string> {
  const { metadata, spec } = cronJob.spec.jobTemplate.spec.template;
  const [container] = spec.containers;
  const added = Object.entries(variables).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const mounts = container.volumeMounts.map((mount) =>
    mount.name === 'backups' ? { ...mount, readOnly: false } : mount,
  );
  const name = podName(cronJob, command);
  const data = dataClaim ? [{ name: 'data', persistentVolumeClaim: { claimName: dataClaim } }] : [];
  // While PostgreSQL has no pod on a node, the affinity to it cannot be met, and the volumes determine the node.
  const isPlaced = list<Pod>('pods', 'postgres').some((pod) => pod.spec.nodeName && !pod.metadata.deletionTimestamp);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name, namespace },
    spec: {
      ...spec,
      ...(!isPlaced && { affinity: undefined }),
      activeDeadlineSeconds: 6 * 3600,
      containers: [
        {
          ...container,
          command: ['node', 'scripts/backup/base-main.ts', command],
          env: [...container.env.filter((one) => !added.some((other) => other.name === one.name)), ...added],
          volumeMounts: dataClaim ? [...mounts, { name: 'data', mountPath: postgresFolder }] : mounts,
        },
      ],
      volumes: [...(spec.volumes ?? []), ...data],
    },
  };
  removePod(name);
  kubectl(['apply', '-f', '-'], JSON.stringify(pod));
  const createdMs = performance.now();
  let phase = '';
  let log = '';
  await waitFor(`the pod ${name}`, 6 * 3600, () => {
    check?.();
    const current = JSON.parse(kubectl(['-n', namespace, 'get', 'pod', name, '-o', 'json'])) as Pod;
    ({ phase } = current.status);
    if (phase === 'Pending') {
      if (performance.now() - createdMs < startSeconds * 1000) return false;
      throw new CannotRestore(`The pod ${name} has not started for ${startSeconds} s: ${describePending(current)}`);
    }
    const text = kubectl(['-n', namespace, 'logs', name]);
    for (const line of text.slice(log.length).trim().split('\n')) if (line !== '') print(line);
    log = text;
    return phase !== 'Running';
  });
  if (phase !== 'Succeeded') {
    throw new CannotRestore(`The pod ${name} failed: ${log.trim().split('\n').at(-1) || 'kubectl describe shows why'}`);
  }
  removePod(name);
  return log;
}

function findOne<T extends KubeObject>(kind: string, component: string, problem: string): T {
  const [found] = list<T>(kind, component);
  if (found !== undefined) return found;
  throw new CannotRestore(
    `The release ${release} has no ${kind} ${component} in the namespace ${namespace}: ${problem}`,
  );
}

/** Throws with the last fatal error if PostgreSQL has ended since it was started. */
function checkPostgres(): void {
  const [pod] = list<Pod>('pods', 'postgres');
  if (!pod?.status.containerStatuses?.some(({ restartCount }) => restartCount > 1)) return;
  const logs = [['--previous'], []].map((more) => {
    const options = ['-n', namespace, 'logs', pod.metadata.name, '--tail=60', ...more];
    return spawnSync('kubectl', options, { encoding: 'utf8', timeout: 30_000 }).stdout ?? '';
  });
  const fatal = logs
    .join('\n')
    .split('\n')
    .filter((line) => /FATAL|PANIC/.test(line) && !/starting up/.test(line));
  throw new CannotRestore(
    `PostgreSQL does not start: ${fatal.at(-1)?.replace(/^.*?(FATAL|PANIC)/, '$1') ?? 'see its log'}. Run this again with another BACKUP or UNTIL, or with UNDO=1 to bring back the data before the restore.`,
  );
}

interface Parts {
  readonly postgres: Workload;
  /** Empty if NATS is external. */
  readonly nats: readonly Workload[];
  readonly pool: Workload;
  /** All Deployments but the pool's, runners too. */
  readonly others: readonly Workload[];
  readonly cronJob: CronJob;
  readonly cronJobs: readonly CronJob[];
}

function findParts(): Parts {
  if (list('deployments').length === 0) {
    throw new CannotRestore(`There is no release ${release} in the namespace ${namespace}.`);
  }
  const external = 'restore an external PostgreSQL by its own means (docs/operations.md).';
  const postgres = findOne<Workload>('statefulset', 'postgres', external);
  const cronJob = findOne<CronJob>('cronjob', 'backup', 'set backup.enabled.');
  if (!postgres.spec.template.spec.volumes?.some(({ name }) => name === 'backups')) {
    throw new CannotRestore('PostgreSQL does not mount the volume of the backups: helm upgrade to this version first.');
  }
  const pool = findOne<Workload>('deployment', 'pool', 'is the installation complete?');
  const variables = pool.spec.template.spec.containers[0].env;
  const runners = variables.find(({ name }) => name === 'RUNNERS_NAMESPACE')?.value ?? `${namespace}-runners`;
  const others = list<Workload>('deployments').filter(({ metadata }) => metadata.name !== pool.metadata.name);
  return {
    postgres,
    nats: list<Workload>('statefulset', 'nats'),
    pool,
    others: [...others, ...list<Workload>('deployments', 'runner', runners)],
    cronJob,
    cronJobs: [cronJob, ...list<CronJob>('cronjob', 'copy-backups')],
  };
}

/** Suspends the CronJobs. Throws if one of their Jobs is running, also one that was created by hand. */
function suspend(cronJobs: readonly CronJob[]): void {
  for (const each of read(cronJobs)) if (!each.spec.suspend) annotate(each, suspendNote, 'true', { suspend: true });
  const jobs = ['backup', 'copy-backups'].flatMap((component) => list<Job>('jobs', component));
  const busy = jobs.find(({ status }) => status?.active);
  if (busy === undefined) return;
  resume(cronJobs);
  throw new CannotRestore(
    `The Job ${busy.metadata.name} is running: wait for it, or delete it (kubectl -n ${namespace} delete job ${busy.metadata.name}); a copy to the bucket continues later.`,
  );
}

function resume(cronJobs: readonly CronJob[]): void {
  for (const each of read(cronJobs)) {
    if (each.metadata.annotations?.[suspendNote]) annotate(each, suspendNote, null, { suspend: false });
  }
}

const componentOf = ({ metadata }: KubeObject) => metadata.labels?.['app.kubernetes.io/component'] ?? '';

async function stopAll({ postgres, nats, pool, others }: Parts): Promise<void> {
  print('stopping: the site is unavailable until the end');
  // The pool first: it would start runners again.
  stop(pool);
  await waitForNoPods(componentOf(pool));
  for (const each of others) stop(each);
  // The matches in play are not of the restored database, so runners need not hand them back.
  for (const { metadata } of others.filter((each) => componentOf(each) === 'runner')) {
    const pods = ['delete', 'pods', '-l', selectorOf('runner'), '--grace-period=1', '--wait=false'];
    kubectl(['-n', metadata.namespace, ...pods]);
  }
  for (const each of others) await waitForNoPods(componentOf(each), each.metadata.namespace);
  for (const each of [postgres, ...nats]) stop(each);
  await waitForNoPods('postgres');
  if (nats.length > 0) await waitForNoPods('nats');
}

/** Starts services and runners, and waits for the services. */
async function startServices({ pool, others, cronJobs }: Parts): Promise<void> {
  start([pool, ...others]);
  resume(cronJobs);
  await waitUntilReady([pool, ...others.filter((each) => componentOf(each) !== 'runner')]);
}

/** Removes the volumes of NATS: its events report changes that no longer exist. Services then publish those of the hour before again (outbox.ts). */
function clearNats({ nats }: Parts): void {
  if (nats.length > 0) kubectl(['-n', namespace, 'delete', 'pvc', '-l', selectorOf('nats')]);
  else if (!env.NATS_CLEARED) {
    throw new CannotRestore(
      'The database is restored. Delete the streams husky_* of your NATS now, then run this again with NATS_CLEARED=1.',
    );
  }
}

/** Runs the migration Job of the release again: the backup may have an older schema or other passwords of the roles. */
async function migrate(): Promise<void> {
  const [job] = list<Job>('jobs', 'migrate').slice(-1);
  if (job === undefined) {
    print('there is no migration Job: if services do not become ready, run helm upgrade with your values');
    return;
  }
  const own = /(^|\/)(controller-uid|job-name)$/;
  const withoutOwn = ({ labels = {} }: { readonly labels?: Readonly<Record<string, string>> }) =>
    Object.fromEntries(Object.entries(labels).filter(([label]) => !own.test(label)));
  const { name, annotations } = job.metadata;
  const { selector: _, template, ...spec } = job.spec as Job['spec'] & { readonly selector?: object };
  const again = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels: withoutOwn(job.metadata), annotations },
    spec: {
      ...spec,
      template: { ...template, metadata: { ...template.metadata, labels: withoutOwn(template.metadata) } },
    },
  };
  kubectl(['-n', namespace, 'delete', 'job', name]);
  kubectl(['create', '-f', '-'], JSON.stringify(again));
  await waitFor(`the Job ${name}`, 1200, () => {
    const { succeeded = 0, conditions = [] } = read([job])[0]?.status ?? {};
    if (conditions.some(({ type, status }) => type === 'Failed' && status === 'True')) {
      throw new CannotRestore(`The Job ${name} failed: kubectl -n ${namespace} logs job/${name}. Then run this again.`);
    }
    return succeeded > 0;
  });
}

/** Starts everything as it was, after an error that has not changed the data. Throws that error. */
async function giveUp(parts: Parts, error: unknown): Promise<never> {
  print('not restored: the data is as before, and the site is started again');
  for (const command of ['restore', 'undo']) removePod(podName(parts.cronJob, command));
  start([parts.postgres, ...parts.nats]);
  await startServices(parts).catch((other: Error) => print(other.message));
  throw error;
}

async function restore(): Promise<void> {
  const parts = findParts();
  const { postgres, nats, cronJob, cronJobs } = parts;
  const [bucket] = list<CronJob>('cronjob', 'copy-backups');
  const { BACKUP = '', UNTIL = '', TIMELINE = '', FETCH = '', FETCH_URL = '', UNDO = '' } = env;
  const context = spawnSync('kubectl', ['config', 'current-context'], { encoding: 'utf8' }).stdout?.trim();
  print(`the release ${release} in the namespace ${namespace} of the cluster ${context || '(no context)'}`);
  if (!BACKUP && !UNDO) {
    print('set BACKUP to one of these backups or to `newest`, and UNTIL to restore an earlier point in time:');
    await runInPod(cronJob, { command: 'list' });
    return;
  }
  const dataClaim = `data-${postgres.metadata.name}-0`;
  const PGDATA = `${postgresFolder}/18`;
  const choice = [BACKUP, UNTIL, TIMELINE].join(' ');
  const isRestored = !UNDO && postgres.metadata.annotations?.[restoredNote] === choice;
  suspend(cronJobs);
  if (isRestored) print('the data folder has this backup already: continuing');
  else {
    let backup = BACKUP;
    try {
      if (FETCH) {
        if (bucket === undefined) throw new CannotRestore('FETCH needs backup.copyTo.url.');
        const wanted = { BACKUP: BACKUP === 'newest' ? '' : BACKUP, UNTIL, COPY_URL: FETCH_URL };
        const log = await runInPod(bucket, { command: 'fetch', variables: wanted });
        backup = /the backup \S*\/(\S+) is complete/.exec(log)?.[1] ?? BACKUP;
      }
      if (!UNDO) await runInPod(cronJob, { command: 'verify', variables: { BACKUP: backup, UNTIL } });
    } catch (error) {
      // A run that was interrupted later goes on with its own settings.
      if (postgres.spec.replicas > 0) resume(cronJobs);
      throw error;
    }
    await stopAll(parts);
    const variables = UNDO ? { PGDATA } : { BACKUP: backup, UNTIL, TIMELINE, PGDATA, REPLACE: '1' };
    const command = UNDO ? 'undo' : 'restore';
    await runInPod(cronJob, { command, variables, dataClaim }).catch((error: unknown) => giveUp(parts, error));
    annotate(postgres, restoredNote, UNDO ? null : choice);
  }
  print('starting PostgreSQL');
  start([postgres]);
  await runInPod(cronJob, { command: 'wait', check: checkPostgres });
  if (!UNDO) clearNats(parts);
  start(nats);
  await waitUntilReady([postgres, ...nats]);
  await migrate();
  await startServices(parts);
  annotate(postgres, restoredNote, null);
  print(
    UNDO ? 'brought back' : `restored; the data before is on the volume of PostgreSQL as ${PGDATA}.replaced-<time>`,
  );
}

await restore().catch((error: unknown) => {
  if (!(error instanceof CannotRestore)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
