import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutLimits } from '../../up/own-platform.ts';
import type { Target, Testbed } from '../chaos/target.ts';
import { kubectl, services, start } from '../kube/cluster.ts';
import { allPods, node } from '../kube/nodes.ts';
import { adminPassword, databaseUrl, openSite, Platform } from '../kube/platform.ts';
import { createNamespace, install, uninstall } from '../kube/steps-chart.ts';
import { twoReplicas } from '../kube/steps-nodes.ts';
import { type ClusterFault, createSchedule, describeFault, groupOf, kinds } from './faults.ts';
import { inject } from './inject.ts';

const runners = 3;
const natsServers = Number(process.env.NATS ?? 3);
const nodes = Number(process.env.NODES ?? 1);

/** Testbed of `make kube-chaos`: a separate release on the cluster of `make kube-up`, with two replicas of each service. */
export const cluster: Testbed<ClusterFault> = {
  command: 'make kube-chaos',
  kinds,
  // Each run installs a release, which takes a minute.
  shrinkRuns: 0,
  // Kubernetes detects a lost node after 50 s and replaces its pods 30 s later, on a busy machine.
  patience: { recoverMs: 300_000, jobMs: 400_000 },
  createSchedule,
  describe: describeFault,
  groupOf,
  start: installRelease,
};

async function installRelease(onLine: (line: string) => void): Promise<Target<ClusterFault>> {
  if (nodes > 1 && (await node('list')).trim() === '') {
    await node('add', 'node2', '--zone', 'zone2');
    await node('images', 'node2');
  }
  // A run that was killed may have left a release.
  await remove();
  await createNamespace();
  const events = watchEvents(onLine);
  const stop = async () => {
    events.kill();
    await remove();
    if (nodes > 1) await node('remove', 'node2');
  };
  try {
    const limits = Object.entries(withoutLimits).flatMap(([name, value]) => [
      '--set-string',
      `services.gateway.env.${name}=${value}`,
    ]);
    await install(...twoReplicas, ...limits, '--set', `nats.replicas=${natsServers},runners.firstSize=${runners}`);
    const { origin } = await openSite();
    const password = await adminPassword();
    const url = await databaseUrl();
    const platform = new Platform(origin, password);
    return {
      origin,
      admin: { username: 'admin', password },
      missing: nodes > 1 ? [] : ['no node is disconnected: the cluster has one (NODES=2 adds another)'],
      inject: (fault, random) => inject(fault, platform, random),
      databaseUrl: () => url,
      isReady,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds Kubernetes' events to the log of the run. Returns the process that watches them. */
function watchEvents(onLine: (line: string) => void) {
  const { child } = start('kubectl', ['get', 'events', '-A', '--watch-only', '--no-headers']);
  child.stdout.on('data', (text) => onLine(String(text).trimEnd()));
  return child;
}

/** Returns whether the release has exactly its pods and all of them are ready. */
async function isReady(): Promise<boolean> {
  try {
    const pods = await allPods();
    const isComplete = (component: string, count: number) =>
      pods.filter((pod) => pod.component === component && pod.ready).length === count;
    if (
      services.every((service) => isComplete(service, 2)) &&
      isComplete('runner', runners) &&
      isComplete('postgres', 1) &&
      isComplete('nats', natsServers) &&
      !pods.some(({ deleting, ready }) => deleting || !ready)
    )
      return true;
  } catch {
    // The API server is unavailable.
  }
  // Each call starts two kubectl processes.
  await pause(500);
  return false;
}

/** Removes the release with its data. */
async function remove(): Promise<void> {
  await uninstall();
  await freeVolumes();
}

interface Volume {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly local?: { readonly path: string } };
  readonly status: { readonly phase: string };
}

/** Empties the volumes of removed releases and makes them available again: no provisioner does it for local volumes. */
async function freeVolumes(): Promise<void> {
  const { items } = JSON.parse(await kubectl('get', 'persistentvolumes', '-o', 'json')) as { items: Volume[] };
  for (const { metadata, spec, status } of items) {
    const folder = spec.local?.path;
    if (status.phase !== 'Released' || folder === undefined) continue;
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    const patch = JSON.stringify([{ op: 'remove', path: '/spec/claimRef' }]);
    await kubectl('patch', 'persistentvolume', metadata.name, '--type=json', '-p', patch);
  }
}
