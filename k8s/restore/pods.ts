import { spawnSync } from 'node:child_process';
import { CannotRestore, type CronJob, kubectl, list, namespace, type Pod, print, waitFor } from './kubernetes.ts';

const isRunning = ({ status }: Pod) => status.phase !== 'Failed' && status.phase !== 'Succeeded';

export async function waitForNoPods(component: string, inNamespace = namespace): Promise<void> {
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

export const postgresFolder = '/var/lib/husky-postgres';
const startSeconds = 300;

export const podName = (cronJob: CronJob, command: string) => `${cronJob.metadata.name}-${command}`;
export const removePod = (name: string) =>
  kubectl(['-n', namespace, 'delete', 'pod', name, '--ignore-not-found', '--grace-period=1']);

function describePending({ status }: Pod): string {
  const [container] = status.containerStatuses ?? [];
  const waiting = container?.state.waiting;
  const condition = status.conditions?.find((one) => one.status === 'False' && one.message)?.message;
  return [waiting?.reason, waiting?.message, condition].filter(Boolean).join(': ') || 'no reason is known';
}

/** Runs an action of scripts/backup/base-main.ts in a pod like those of a CronJob, and prints its log. Returns the log. */
export async function runInPod(
  cronJob: CronJob,
  { command, variables = {}, dataClaim, check }: Action,
): Promise<string> {
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

/** Throws with the last fatal error if PostgreSQL has ended since it was started. */
export function checkPostgres(): void {
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
