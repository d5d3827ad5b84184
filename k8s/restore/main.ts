// `make kube-restore`: replaces the database of a release by a backup of its volume (docs/operations.md#restore-on-kubernetes).
// RELEASE (husky), NAMESPACE (husky), BACKUP (a name or `newest`; none: lists the backups), UNTIL (2026-11-23T12:00:00Z), TIMELINE (`current`),
// FETCH=1 (downloads the backup from the bucket first), FETCH_URL (another bucket than that of the release), UNDO=1 (brings back the data before
// the last restore), NATS_CLEARED=1 (with an external NATS: its streams are deleted). Uses kubectl with its current context.
import { spawnSync } from 'node:child_process';
import {
  annotate,
  CannotRestore,
  type Job,
  kubectl,
  list,
  namespace,
  print,
  read,
  release,
  selectorOf,
  waitFor,
} from './kubernetes.ts';
import { findParts, type Parts, resume, start, startServices, stopAll, suspend, waitUntilReady } from './parts.ts';
import { checkPostgres, podName, postgresFolder, removePod, runInPod } from './pods.ts';

const { env } = process;
/** On PostgreSQL's StatefulSet: its data folder has this backup, and the restore is not complete. */
const restoredNote = 'husky-holdem/restored';

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
  // Without Helm, those of earlier releases remain.
  const createdAt = ({ metadata }: Job) => metadata.creationTimestamp;
  const [job] = list<Job>('jobs', 'migrate').sort((a, b) => createdAt(b).localeCompare(createdAt(a)));
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
  const [, bucket] = cronJobs;
  const { BACKUP = '', UNTIL = '', TIMELINE = '', FETCH = '', FETCH_URL = '', UNDO = '' } = env;
  const context = spawnSync('kubectl', ['config', 'current-context'], { encoding: 'utf8' }).stdout?.trim();
  print(`the release ${release} in the namespace ${namespace} of the cluster ${context || '(no context)'}`);
  if (!BACKUP && !UNDO) {
    print('set BACKUP to one of these backups or to `newest`, and UNTIL to restore an earlier point in time:');
    await runInPod(cronJob, { command: 'list' });
    return;
  }
  const data = postgres.spec.template.spec.volumes?.find(({ name }) => name === 'data');
  const dataClaim = data?.persistentVolumeClaim?.claimName ?? `data-${postgres.metadata.name}-0`;
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
