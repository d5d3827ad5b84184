import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  call,
  kubectl,
  namespace,
  ownCluster,
  release,
  root,
  runnerPods,
  runnersNamespace,
  waitUntil,
} from './cluster.ts';
import { type Platform, startMatches, waitUntilPlaying } from './platform.ts';
import { type Step, seconds } from './steps.ts';

const deployment = `${release}-runner`;

const restart = (component: string, downtimeSeconds: number) =>
  call(join(root, 'scripts/proof/cluster/restart.sh'), [component, String(downtimeSeconds)], 120_000);

/** Waits until the pool has exactly this number of runners and all of them have requested work. */
const waitUntilSettled = (platform: Platform, size: number) =>
  waitUntil(
    `${size} runners that have requested work`,
    120,
    () => platform.containers(),
    (all) => all.length === size && all.every(({ state }) => !['starting', 'stopping'].includes(state)),
  );

/** Steps with failures of the platform's parts and of the cluster during matches: docs/operations.md, Recover and Change the pool. */
export function failureSteps(platform: Platform): Step[] {
  const onAnyCluster: Step[] = [
    {
      name: 'an exhausted quota and a missing image: the scaling job names both, and the size can be restored',
      run: () => scaleWithQuotaAndMissingImage(platform),
    },
    {
      name: 'without permissions the pool reports the refusal and still shows the runners; with them again it continues without a restart',
      run: () => scaleWithoutPermissions(platform),
    },
    {
      name: 'pods of a runner, NATS and PostgreSQL deleted and containerd restarted during matches: every match finishes once and complete',
      run: () => deletePods(platform),
    },
  ];
  const withoutApiServer: Step = {
    name: 'the API server is down for 8 s while the pool scales: the page reports it, and the pool recovers',
    run: () => scaleWithoutApiServer(platform),
  };
  return ownCluster ? [withoutApiServer, ...onAnyCluster] : onAnyCluster;
}

async function deletePods(platform: Platform): Promise<string> {
  const jobs = await startMatches(platform, 3);
  await waitUntilPlaying(platform, jobs, 2);
  const busy = (await platform.containers()).find(({ state }) => state === 'active');
  if (busy === undefined) throw new Error('no runner is active');
  await kubectl('-n', runnersNamespace, 'delete', 'pod', busy.container_name, '--force', '--grace-period=0');
  if (ownCluster) await restart('containerd', 2);
  const pods = [`${release}-nats-0`, `${release}-postgres-0`];
  const uids = () => kubectl('-n', namespace, 'get', 'pod', ...pods, '-o', 'jsonpath={.items[*].metadata.uid}');
  const before = await uids();
  // kubectl may miss the end of a pod if a new one with the same name starts immediately, and would then wait forever.
  await kubectl('-n', namespace, 'delete', 'pod', ...pods, '--wait=false');
  const hands = await platform.verifyMatches(jobs, 400);
  await kubectl('-n', namespace, 'rollout', 'status', `statefulset/${release}-nats`, '--timeout=90s');
  const kept = (await uids()).split(' ').filter((uid) => before.includes(uid));
  if (kept.length > 0) throw new Error('a pod was not deleted');
  return `${hands} hands`;
}

async function scaleWithoutApiServer(platform: Platform): Promise<string> {
  const jobs = await startMatches(platform, 2, 60);
  const restarted = restart('apiserver', 8);
  await pause(2000);
  const failed = await platform.scaleAndWait(5, 60);
  const message = failed.job.error_message ?? '';
  if (failed.job.status !== 'Failed' || !message.includes('Kubernetes API')) {
    throw new Error(`without the API server the job was ${failed.job.status}: ${message}`);
  }
  const shown = await platform.containers();
  if (shown.length < 3) throw new Error(`without the API server the page shows ${shown.length} runners`);
  await restarted;
  const { job, tookMs } = await platform.scaleAndWait(4, 150);
  if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
  await platform.scaleAndWait(3, 240);
  await platform.verifyMatches(jobs, 240);
  return `"${message.slice(0, 90)}"; afterwards 3 -> 4 in ${seconds(tookMs)}`;
}

async function scaleWithQuotaAndMissingImage(platform: Platform): Promise<string> {
  await platform.scaleAndWait(3, 150);
  await waitUntilSettled(platform, 3);
  await kubectl('-n', runnersNamespace, 'create', 'quota', 'e2e', '--hard=pods=4');
  try {
    // A quota is enforced only after its controller has counted the pods, which takes time after a restart of the API server.
    await waitUntil(
      'enforcement of the quota',
      60,
      () =>
        kubectl(
          '-n',
          runnersNamespace,
          'get',
          'quota',
          'e2e',
          '-o',
          'jsonpath={.status.used.pods}/{.status.hard.pods}',
        ),
      (text) => /^\d+\/4$/.test(text.trim()),
    );
    // The new pods of this change cannot start; the old ones continue to play.
    const missing = 'localhost/husky-holdem/dealer:missing';
    await kubectl('-n', runnersNamespace, 'set', 'image', `deployment/${deployment}`, `dealer=${missing}`);
    await waitUntil('the pod of the missing image', 60, runnerPods, (pods) => pods.length === 4);
    const { job, tookMs } = await platform.scaleAndWait(6, 200);
    const message = job.error_message ?? '';
    for (const phrase of ['quota', `the image ${missing} of dealer cannot be had`]) {
      if (job.status !== 'Failed' || !message.includes(phrase))
        throw new Error(`${job.status}, not "${phrase}": ${message}`);
    }
    await kubectl('-n', runnersNamespace, 'rollout', 'undo', `deployment/${deployment}`);
    const back = await platform.scaleAndWait(3, 240);
    if (back.job.status !== 'Finished') throw new Error(back.job.error_message ?? back.job.status);
    await waitUntilSettled(platform, 3);
    return `after ${seconds(tookMs)}: "${message.slice(0, 420)}…"`;
  } finally {
    await kubectl('-n', runnersNamespace, 'delete', 'quota', 'e2e');
  }
}

async function scaleWithoutPermissions(platform: Platform): Promise<string> {
  const binding = ['-n', runnersNamespace, 'patch', 'rolebinding', `${release}-pool`, '--type=json', '-p'];
  const pool = { kind: 'ServiceAccount', name: `${release}-pool`, namespace };
  await kubectl(...binding, JSON.stringify([{ op: 'remove', path: '/subjects' }]));
  let message = '';
  try {
    const { job } = await platform.scaleAndWait(4, 60);
    message = job.error_message ?? '';
    const expected = 'refuses the pool this right (403)';
    if (job.status !== 'Failed' || !message.includes(expected)) throw new Error(`${job.status}: ${message}`);
    const shown = await platform.containers();
    if (shown.length !== 3) throw new Error(`the page shows ${shown.length} runners`);
  } finally {
    await kubectl(...binding, JSON.stringify([{ op: 'add', path: '/subjects', value: [pool] }]));
  }
  const { job, tookMs } = await platform.scaleAndWait(4, 150);
  if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
  await platform.scaleAndWait(3, 240);
  return `"${message.slice(0, 150)}"; with them again 3 -> 4 in ${seconds(tookMs)}`;
}
