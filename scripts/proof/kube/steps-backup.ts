// docs/operations.md, Back up and restore.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { s3Store } from '@husky/testkit/s3-store';
import pg from 'pg';
import { verifyBaseBackup } from '../../backup/base-backup.ts';
import type { S3Settings } from '../../backup/base-bucket.ts';
import { fileBucket } from '../../backup/base-bucket.ts';
import { fetchFromBucket } from '../../backup/base-copy.ts';
import { apply, kubectl, machine, namespace, release, start, tryKubectl, waitUntil } from './cluster.ts';
import { databaseUrl } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

const s3Secret = 'backup-bucket';

const upgrade = (...more: readonly string[]) => upgradeWithin('5m', ...more);

export const backupSteps: Step[] = [
  {
    name: 'a run of the backup CronJob: its backup is copied to a bucket of S3, and kube-restore brings the release to a time between two changes, back, and to the copy after the volume was lost',
    minutes: 24,
    run: backUp,
  },
];

interface Job {
  readonly metadata: { readonly name: string };
  readonly status: { readonly succeeded?: number; readonly failed?: number };
}

/** Waits until a Job has ended. Returns it with the log of a container. */
async function waitForJob(selector: readonly string[], container: string, seconds: number): Promise<[Job, string]> {
  const read = async () => {
    const { items } = JSON.parse(await kubectl('-n', namespace, 'get', 'jobs', ...selector, '-o', 'json')) as {
      items: Job[];
    };
    return items[0];
  };
  const job = await waitUntil('the end of the Job', seconds, read, (current) => {
    const { succeeded = 0, failed = 0 } = current?.status ?? {};
    return succeeded + failed > 0;
  });
  if (job === undefined) throw new Error('there is no Job');
  return [job, tryKubectl('-n', namespace, 'logs', `job/${job.metadata.name}`, '-c', container).text];
}

/** Counts the rows of tables that no background task changes while no match is in play. */
const countRows = `SELECT (SELECT count(*) FROM auth.users) AS users, (SELECT count(*) FROM submission.submissions) AS submissions,
  (SELECT count(*) FROM simulation.jobs) AS jobs,
  (SELECT count(*) FROM simulation.jobs WHERE state NOT IN ('FINISHED', 'FAILED')) AS unfinished, (SELECT count(*) FROM live_data.matches) AS matches,
  (SELECT md5(string_agg(id::text || state, ',' ORDER BY id)) FROM simulation.jobs) AS jobs_and_states`;

const readRowCounts = (url: string) =>
  withDatabase(url, async (client) => JSON.stringify((await client.query(countRows)).rows[0]));

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function backUp(): Promise<string> {
  const store = await s3Store({ acceptsAnySignature: true, address: machine });
  const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings;
  const stringData = { 'access-key-id': accessKeyId, 'secret-access-key': secretAccessKey };
  try {
    apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: s3Secret, namespace }, stringData });
    const copyTo = `url=s3://${bucket}/e2e,backup.copyTo.endpoint=${endpoint},backup.copyTo.existingSecret=${s3Secret}`;
    await upgrade('--set', `backup.enabled=true,backup.storage.size=1Gi,backup.copyTo.${copyTo}`);
    const url = await databaseUrl();
    const isAtRest = (rows: string) => rows.includes('"unfinished":"0"');
    const before = await waitUntil('the end of all jobs', 180, () => readRowCounts(url), isAtRest, 1000);
    const made = await runBackup();
    const copied = await copyBackups({ ...store.settings, prefix: 'e2e' });
    return [made, copied, await restoreBetweenChanges(url, before), await restoreCopy(url, before), before].join('; ');
  } finally {
    await store.stop();
    tryKubectl('-n', namespace, 'delete', 'secret', s3Secret);
    await upgrade();
  }
}

/** Runs the CronJob that copies backups, and verifies what is in the bucket then. */
async function copyBackups(settings: S3Settings): Promise<string> {
  const job = 'copy-now';
  await kubectl('-n', namespace, 'create', 'job', `--from=cronjob/${release}-copy-backups`, job);
  const folder = mkdtempSync(join(tmpdir(), 'husky-copied-'));
  try {
    const [{ status }, log] = await waitForJob(['--field-selector', `metadata.name=${job}`], 'copy-backups', 120);
    if (status.succeeded !== 1) throw new Error(log.slice(-600));
    const walFolder = join(folder, 'wal');
    await verifyBaseBackup(await fetchFromBucket({ bucket: fileBucket(settings), folder, walFolder }));
    return `copied with ${readdirSync(walFolder).length} files of the write-ahead log`;
  } finally {
    rmSync(folder, { recursive: true });
    tryKubectl('-n', namespace, 'delete', 'job', job, '--ignore-not-found', '--wait=false');
  }
}

/** Runs the CronJob of backups. Returns the backup's name and duration. */
async function runBackup(): Promise<string> {
  const job = 'backup-now';
  await kubectl('-n', namespace, 'create', 'job', `--from=cronjob/${release}-backup`, job);
  try {
    const [{ status }, log] = await waitForJob(['--field-selector', `metadata.name=${job}`], 'backup', 300);
    const [, folder, duration] = /the backup (\S+) is complete and verified after (.+)/.exec(log) ?? [];
    if (status.succeeded !== 1 || folder === undefined) throw new Error(log.slice(-600));
    return `${folder.split('/').at(-1)} in ${duration}`;
  } finally {
    tryKubectl('-n', namespace, 'delete', 'job', job, '--ignore-not-found', '--wait=false');
  }
}

const startRestore = (...settings: readonly string[]) =>
  start('make', ['kube-restore', `RELEASE=${release}`, `NAMESPACE=${namespace}`, ...settings]);

/** Runs `make kube-restore`, and compares the rows and the tables of restoreBetweenChanges with what is expected. Returns its duration. */
async function checkRestore(
  settings: readonly string[],
  url: string,
  rows: string,
  tables: readonly string[],
): Promise<string> {
  const startedMs = performance.now();
  const { code, output } = await startRestore(...settings).ended;
  if (code !== 0) throw new Error(output.slice(-900));
  const found = [await readRowCounts(url), ...(await tablesOf(url))];
  const expected = [rows, ...tables];
  if (found.join() !== expected.join()) throw new Error(`${found.join()} instead of ${expected.join()}`);
  return seconds(performance.now() - startedMs);
}

/** Makes two changes, restores a time between them by `make kube-restore`, which is interrupted and repeated, and brings the data before it back. */
async function restoreBetweenChanges(url: string, before: string): Promise<string> {
  const until = await execute(url, 'CREATE TABLE public.early (id int)');
  await execute(url, 'CREATE TABLE public.late (id int)');
  const interrupted = startRestore('BACKUP=newest', `UNTIL=${until}`);
  const isReplaced = (output: string) => output.includes('starting PostgreSQL');
  await waitUntil('a replaced data folder', 180, async () => interrupted.readOutput(), isReplaced);
  interrupted.child.kill('SIGTERM');
  await interrupted.ended;
  const restored = await checkRestore(['BACKUP=newest', `UNTIL=${until}`], url, before, ['early']);
  const undone = await checkRestore(['UNDO=1'], url, before, ['early', 'late']);
  return `restored in ${restored} after an interruption, undone in ${undone}`;
}

/** Empties the volume of the backups, and restores the copy in the bucket, which is older than the changes. */
async function restoreCopy(url: string, before: string): Promise<string> {
  await kubectl('-n', namespace, 'exec', `${release}-postgres-0`, '--', 'sh', '-c', 'rm -r /var/lib/husky-backups/*/*');
  return `restored from the bucket in ${await checkRestore(['BACKUP=newest', 'FETCH=1'], url, before, [])}`;
}

/** Returns the names of the tables that restoreBetweenChanges has created, in alphabetical order. */
const tablesOf = (url: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename IN ('early', 'late') ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });

/** Executes a statement. Returns a time of the server after it and before later ones. */
const execute = (url: string, statement: string) =>
  withDatabase(url, async (client) => {
    await client.query(statement);
    const { rows } = await client.query<{ at: Date }>(
      'SELECT clock_timestamp() AS at FROM (SELECT pg_sleep(0.1)) AS paused',
    );
    await client.query('SELECT pg_sleep(0.1)');
    return rows[0]?.at.toISOString() ?? '';
  });
