import type { Random } from '../chaos/random.ts';
import { drawSchedule, type Step, type WeightedMakers } from '../chaos/schedule.ts';
import { services } from '../kube/cluster.ts';

/** A fault of a release on the cluster. `ms`: its duration. */
export type ClusterFault =
  /** Deletes a pod. `runner`: a runner with a match in play. */
  | { readonly kind: 'delete' | 'delete-by-force'; readonly target: string }
  /** Kills or stops all processes of a container. `dealer`, `seats`: of a runner with a match in play. */
  | { readonly kind: 'kill'; readonly target: string }
  | { readonly kind: 'stop'; readonly target: string; readonly ms: number }
  | { readonly kind: 'containerd' | 'apiserver' | 'etcd' | 'cut-node'; readonly ms: number };

/** All kinds of faults of a release on the cluster. */
export const kinds: readonly ClusterFault['kind'][] = [
  ...(['delete', 'delete-by-force', 'kill', 'stop', 'containerd', 'apiserver', 'etcd', 'cut-node'] as const),
];

const containers = [...services, 'dealer', 'seats', 'postgres', 'nats'];

// Some are long enough for probes to fail: a pod is removed from its Service after 6 s.
const drawDurationMs = (random: Random) => random.integer(1000, 15_000);

const makers: WeightedMakers<ClusterFault> = [
  [5, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: random.pick(services) })],
  [3, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'runner' })],
  [2, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'postgres' })],
  [2, (random) => ({ kind: random.pick(['delete', 'delete-by-force']), target: 'nats' })],
  [4, (random) => ({ kind: 'kill', target: random.pick(containers) })],
  [4, (random) => ({ kind: 'stop', target: random.pick(containers), ms: drawDurationMs(random) })],
  [1, (random) => ({ kind: 'containerd', ms: drawDurationMs(random) })],
  [1, (random) => ({ kind: 'apiserver', ms: drawDurationMs(random) })],
  [1, (random) => ({ kind: 'etcd', ms: drawDurationMs(random) })],
  // Kubernetes detects a lost node after 50 s.
  [1, (random) => ({ kind: 'cut-node', ms: random.integer(5000, 90_000) })],
];

/** Returns the schedule of faults for a seed. Deterministic. */
export const createSchedule = (seed: number, steps: number): Step<ClusterFault>[] => drawSchedule(makers, seed, steps);

/** Returns a short description of a fault. */
export function describeFault(fault: ClusterFault): string {
  const target = 'target' in fault ? ` ${fault.target}` : '';
  return `${fault.kind}${target}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`;
}

/** Returns the group under which a fault is counted in the report: kind and target, where all services are one target. */
export function groupOf(fault: ClusterFault): string {
  if (!('target' in fault)) return fault.kind;
  return `${fault.kind} ${services.includes(fault.target) ? 'service' : fault.target}`;
}
