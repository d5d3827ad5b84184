import { spawnSync } from 'node:child_process';
import {
  annotate,
  CannotRestore,
  type CronJob,
  type Job,
  type KubeObject,
  kubectl,
  list,
  namespace,
  print,
  read,
  release,
  selectorOf,
  type Workload,
  waitFor,
} from './kubernetes.ts';
import { waitForNoPods } from './pods.ts';

// Annotations by which a second run continues after an interruption.
const replicasNote = 'husky-holdem/replicas-before-restore';
const suspendNote = 'husky-holdem/suspended-for-restore';

export interface Parts {
  readonly postgres: Workload;
  /** Empty if NATS is external. */
  readonly nats: readonly Workload[];
  readonly pool: Workload;
  /** All Deployments but the pool's, runners too. */
  readonly others: readonly Workload[];
  /** That of backups. */
  readonly cronJob: CronJob;
  /** That of backups, and that of their copies in a bucket if there is one. */
  readonly cronJobs: readonly [CronJob, ...CronJob[]];
}

export function findParts(): Parts {
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
export function suspend(cronJobs: readonly CronJob[]): void {
  for (const each of read(cronJobs)) if (!each.spec.suspend) annotate(each, suspendNote, 'true', { suspend: true });
  const jobs = ['backup', 'copy-backups'].flatMap((component) => list<Job>('jobs', component));
  const busy = jobs.find(({ status }) => status?.active);
  if (busy === undefined) return;
  resume(cronJobs);
  throw new CannotRestore(
    `The Job ${busy.metadata.name} is running: wait for it, or delete it (kubectl -n ${namespace} delete job ${busy.metadata.name}); a copy to the bucket continues later.`,
  );
}

export function resume(cronJobs: readonly CronJob[]): void {
  for (const each of read(cronJobs)) {
    if (each.metadata.annotations?.[suspendNote]) annotate(each, suspendNote, null, { suspend: false });
  }
}

function findOne<T extends KubeObject>(kind: string, component: string, problem: string): T {
  const [found] = list<T>(kind, component);
  if (found !== undefined) return found;
  throw new CannotRestore(
    `The release ${release} has no ${kind} ${component} in the namespace ${namespace}: ${problem}`,
  );
}

function stop(workload: Workload): void {
  const replicas = workload.metadata.annotations?.[replicasNote] ?? String(workload.spec.replicas);
  annotate(workload, replicasNote, replicas, { replicas: 0 });
}

export function start(workloads: readonly Workload[]): void {
  for (const workload of read(workloads)) {
    const replicas = Number(workload.metadata.annotations?.[replicasNote] ?? workload.spec.replicas);
    annotate(workload, replicasNote, null, { replicas });
  }
}

export async function waitUntilReady(workloads: readonly Workload[]): Promise<void> {
  for (const { kind, metadata } of workloads) {
    const status = ['-n', metadata.namespace, 'rollout', 'status', kind, metadata.name, '--timeout=1s'];
    await waitFor(`${metadata.name} to be ready`, 600, () => spawnSync('kubectl', status).status === 0);
  }
}

const componentOf = ({ metadata }: KubeObject) => metadata.labels?.['app.kubernetes.io/component'] ?? '';

export async function stopAll({ postgres, nats, pool, others }: Parts): Promise<void> {
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
export async function startServices({ pool, others, cronJobs }: Parts): Promise<void> {
  start([pool, ...others]);
  resume(cronJobs);
  await waitUntilReady([pool, ...others.filter((each) => componentOf(each) !== 'runner')]);
}
