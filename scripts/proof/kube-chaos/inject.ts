import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signal } from '../chaos/processes.ts';
import type { Random } from '../chaos/random.ts';
import { CannotInject } from '../chaos/target.ts';
import { call, kubectl, namespace, root, runnersNamespace } from '../kube/cluster.ts';
import { node, podsOf } from '../kube/nodes.ts';
import type { Platform } from '../kube/platform.ts';
import { processesInGroup, runningContainer } from './containers.ts';
import type { ClusterFault } from './faults.ts';

const timeoutMs = 20_000;

/** Injects a fault and resolves when it is over. Throws CannotInject if the fault is not possible now. */
export async function inject(fault: ClusterFault, platform: Platform, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'delete':
    case 'delete-by-force':
      return deletePod(fault.target, fault.kind === 'delete-by-force', platform, random);
    case 'kill': {
      const container = await chooseContainer(fault.target, platform, random);
      for (const pid of container.processes()) signal(pid, 'SIGKILL');
      return waitUntilNoticed(container);
    }
    case 'stop': {
      const pids = (await chooseContainer(fault.target, platform, random)).processes();
      for (const pid of pids) signal(pid, 'SIGSTOP');
      await pause(fault.ms);
      for (const pid of pids) signal(pid, 'SIGCONT');
      return;
    }
    case 'cut-node':
      return disconnectNode(fault.ms);
    default:
      await call(join(root, 'scripts/proof/cluster/restart.sh'), [fault.kind, String(fault.ms / 1000)], 180_000);
  }
}

async function deletePod(target: string, byForce: boolean, platform: Platform, random: Random): Promise<void> {
  const { name, ns } = await choosePod(target, platform, random);
  const force = byForce ? ['--force', '--grace-period=0'] : [];
  await orCannotInject(kubectl('-n', ns, 'delete', 'pod', name, '--wait=false', ...force));
}

interface Container {
  /** Id of the container that ran when it was chosen. */
  readonly id: string;
  /** Returns the id of the container that runs now; undefined if none runs or the pod does not exist. */
  readId(): Promise<string | undefined>;
  processes(): number[];
}

async function chooseContainer(target: string, platform: Platform, random: Random): Promise<Container> {
  const inRunner = target === 'dealer' || target === 'seats';
  const { name, ns } = await choosePod(inRunner ? 'runner' : target, platform, random);
  const readId = () => runningContainer(ns, name, target);
  const id = await orCannotInject(readId());
  if (id === undefined) throw new CannotInject(`the ${target} of a pod did not run at that moment`);
  return { id, readId, processes: () => processesInGroup(id) };
}

/** Waits until Kubernetes has noticed that a container ended. Until then its pod is still shown as ready. */
async function waitUntilNoticed({ id, readId }: Container): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(300)) {
    // Another fault may make the API server unavailable: the id counts as unchanged.
    const current = await readId().catch(() => id);
    if (current !== id) return;
  }
}

async function choosePod(target: string, platform: Platform, random: Random): Promise<{ name: string; ns: string }> {
  if (target === 'runner') return { name: await chooseBusyRunner(platform, random), ns: runnersNamespace };
  const pods = await orCannotInject(podsOf(target));
  if (pods.length === 0) throw new CannotInject(`there was no pod of ${target} at that moment`);
  return { name: random.pick(pods.map(({ name }) => name).sort()), ns: namespace };
}

/** Waits until runners have matches in play and returns the name of one of them. */
async function chooseBusyRunner(platform: Platform, random: Random): Promise<string> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(300)) {
    // Requests may fail while another fault is active.
    const all = await platform.containers().catch(() => []);
    const busy = all.filter(({ state }) => state === 'active').map(({ container_name }) => container_name);
    if (busy.length > 0) return random.pick(busy.sort());
  }
  throw new CannotInject(`no runner played within ${timeoutMs / 1000} s`);
}

/** Awaits a call to the cluster. Turns its error into CannotInject, because another fault may make the API server unavailable. */
async function orCannotInject<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new CannotInject(error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error));
  }
}

async function disconnectNode(ms: number): Promise<void> {
  const [name] = (await node('list')).split('\n').filter((line) => line !== '');
  if (name === undefined) throw new CannotInject('the cluster has one node (NODES=2 adds another)');
  await node('disconnect', name);
  try {
    await pause(ms);
  } finally {
    await node('reconnect', name);
  }
}
