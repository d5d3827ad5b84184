import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signal } from '../../scripts/chaos/processes.ts';
import type { Random } from '../../scripts/chaos/random.ts';
import { CannotInject } from '../../scripts/chaos/target.ts';
import { call, kubectl, namespace, root, runnersNamespace } from '../e2e/cluster.ts';
import { node, podsOf } from '../e2e/nodes.ts';
import type { Platform } from '../e2e/platform.ts';
import { processesInGroup, runningContainer } from './containers.ts';
import type { ClusterFault } from './faults.ts';

const findMs = 20_000;

/** Makes a fault happen and resolves when it is over. Throws CannotInject. */
export async function inject(fault: ClusterFault, platform: Platform, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'delete':
    case 'delete-by-force':
      return deletePod(fault.target, fault.kind === 'delete-by-force', platform, random);
    case 'kill': {
      const container = await containerOf(fault.target, platform, random);
      for (const pid of container.processes()) signal(pid, 'SIGKILL');
      return untilNoticed(container);
    }
    case 'stop': {
      const pids = (await containerOf(fault.target, platform, random)).processes();
      for (const pid of pids) signal(pid, 'SIGSTOP');
      await pause(fault.ms);
      for (const pid of pids) signal(pid, 'SIGCONT');
      return;
    }
    case 'cut-node':
      return cutNode(fault.ms);
    default:
      await call(join(root, 'k8s/cluster/restart.sh'), [fault.kind, String(fault.ms / 1000)], 180_000);
  }
}

async function deletePod(target: string, byForce: boolean, platform: Platform, random: Random): Promise<void> {
  const { name, place } = await podOf(target, platform, random);
  const force = byForce ? ['--force', '--grace-period=0'] : [];
  await asking(kubectl('-n', place, 'delete', 'pod', name, '--wait=false', ...force));
}

interface Container {
  /** Id of the container that ran when it was chosen. */
  readonly id: string;
  /** Returns the id at present; undefined: it does not run, or the pod is gone. */
  now(): Promise<string | undefined>;
  processes(): number[];
}

async function containerOf(target: string, platform: Platform, random: Random): Promise<Container> {
  const ofRunner = target === 'dealer' || target === 'seats';
  const { name, place } = await podOf(ofRunner ? 'runner' : target, platform, random);
  const now = () => runningContainer(place, name, target);
  const id = await asking(now());
  if (id === undefined) throw new CannotInject(`the ${target} of a pod did not run at that moment`);
  return { id, now, processes: () => processesInGroup(id) };
}

/** Waits until Kubernetes knows that a container has ended: until then its pod counts as ready. */
async function untilNoticed({ id, now }: Container): Promise<void> {
  for (const until = Date.now() + findMs; Date.now() < until; await pause(300)) {
    // Without an answer nothing is known, as while another fault keeps the API server away.
    const current = await now().catch(() => id);
    if (current !== id) return;
  }
}

async function podOf(target: string, platform: Platform, random: Random): Promise<{ name: string; place: string }> {
  if (target === 'runner') return { name: await busyRunner(platform, random), place: runnersNamespace };
  const pods = await asking(podsOf(target));
  if (pods.length === 0) throw new CannotInject(`there was no pod of ${target} at that moment`);
  return { name: random.pick(pods.map(({ name }) => name).sort()), place: namespace };
}

/** Waits for a runner that plays. */
async function busyRunner(platform: Platform, random: Random): Promise<string> {
  for (const until = Date.now() + findMs; Date.now() < until; await pause(300)) {
    // Requests fail while another fault acts.
    const all = await platform.containers().catch(() => []);
    const busy = all.filter(({ state }) => state === 'active').map(({ container_name }) => container_name);
    if (busy.length > 0) return random.pick(busy.sort());
  }
  throw new CannotInject(`no runner played within ${findMs / 1000} s`);
}

/** Another fault may keep the API server from answering: then this one is left out. */
async function asking<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    throw new CannotInject(error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error));
  }
}

async function cutNode(ms: number): Promise<void> {
  const others = (await node('list')).split('\n').filter((name) => name !== '');
  const [name] = others;
  if (name === undefined) throw new CannotInject('the cluster has one node (NODES=2 adds another)');
  await node('cut', name);
  try {
    await pause(ms);
  } finally {
    await node('join', name);
  }
}
