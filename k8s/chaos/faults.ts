import type { Random } from '../../scripts/chaos/random.ts';
import { type Step, scheduleFrom, type WeightedMakers } from '../../scripts/chaos/schedule.ts';
import { services } from '../e2e/cluster.ts';

/** A fault of a release on the cluster. `ms`: how long it lasts, for those that last. */
export type ClusterFault =
  /** A pod; `runner`: one that plays. */
  | { readonly kind: 'delete' | 'delete-by-force'; readonly target: string }
  /** All processes of a container; `dealer` and `seats`: of a runner that plays. */
  | { readonly kind: 'kill'; readonly target: string }
  | { readonly kind: 'stop'; readonly target: string; readonly ms: number }
  | { readonly kind: 'containerd' | 'apiserver' | 'etcd' | 'cut-node'; readonly ms: number };

/** All kinds of faults of a release on the cluster. */
export const kinds: readonly ClusterFault['kind'][] = [
  ...(['delete', 'delete-by-force', 'kill', 'stop', 'containerd', 'apiserver', 'etcd', 'cut-node'] as const),
];

const containers = [...services, 'dealer', 'seats', 'postgres', 'nats'];

// Long enough that probes notice some of them: a pod is taken out of its Service after 6 s.
const lasting = (random: Random) => random.integer(1000, 15_000);

const makers: WeightedMakers<ClusterFault> = [
  [5, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: random.pick(services) })],
  [3, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'runner' })],
  [2, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'postgres' })],
  [2, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'nats' })],
  [4, (random) => ({ kind: 'kill', target: random.pick(containers) })],
  [4, (random) => ({ kind: 'stop', target: random.pick(containers), ms: lasting(random) })],
  [1, (random) => ({ kind: 'containerd', ms: lasting(random) })],
  [1, (random) => ({ kind: 'apiserver', ms: lasting(random) })],
  [1, (random) => ({ kind: 'etcd', ms: lasting(random) })],
  // Kubernetes notices a node that is away after 50 s.
  [1, (random) => ({ kind: 'cut-node', ms: random.integer(5000, 90_000) })],
];

/** Returns the schedule of a seed for a release on the cluster. */
export const scheduleOf = (seed: number, steps: number): Step<ClusterFault>[] => scheduleFrom(makers, seed, steps);

/** Describes a fault in a few words. */
export function describeFault(fault: ClusterFault): string {
  const target = 'target' in fault ? ` ${fault.target}` : '';
  return `${fault.kind}${target}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`;
}

/** Returns a fault's kind with `service` for each service, of which there are two. */
export function sortOf(fault: ClusterFault): string {
  if (!('target' in fault)) return fault.kind;
  return `${fault.kind} ${services.includes(fault.target) ? 'service' : fault.target}`;
}
