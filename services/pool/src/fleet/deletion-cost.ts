// Which pods the Deployment's controller deletes first.
import type { V1Pod } from '@kubernetes/client-node';

export const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
/** The Deployment's controller deletes pods of a lower cost first; a pod without the annotation has 0. */
const leavingCost = -1000;
const stayingCost = 1000;

function costOf({ metadata }: V1Pod): number {
  return Number(metadata?.annotations?.[costAnnotation] ?? 0);
}

export interface CostChange {
  readonly name: string;
  /** null removes the annotation. */
  readonly cost: number | null;
}

/**
 * Returns the fewest changes after which every named pod has a lower deletion cost than every other: either the named ones get the
 * lowest cost or, when fewer stay than leave, the others get the highest. Removes marks of earlier changes that contradict these.
 */
export function costChanges(pods: readonly V1Pod[], leaving: ReadonlySet<string>): readonly CostChange[] {
  const lower: CostChange[] = [];
  const raise: CostChange[] = [];
  for (const pod of pods) {
    const name = pod.metadata?.name ?? '';
    const cost = costOf(pod);
    if (leaving.has(name)) {
      if (cost > leavingCost) lower.push({ name, cost: leavingCost });
      if (cost >= stayingCost) raise.push({ name, cost: null });
    } else {
      if (cost <= leavingCost) lower.push({ name, cost: null });
      if (cost < stayingCost) raise.push({ name, cost: stayingCost });
    }
  }
  return raise.length < lower.length ? raise : lower;
}

/**
 * Returns the pods that the controller will delete to reach `replicas`: those of the lowest costs. Returns none if costs do not distinguish
 * them, because something other than the pool has scaled the Deployment.
 */
export function leavingPods(pods: readonly V1Pod[], replicas: number): ReadonlySet<V1Pod> {
  const costs = pods.map(costOf).sort((a, b) => a - b);
  const highest = costs[pods.length - replicas - 1];
  const next = costs[pods.length - replicas];
  if (highest === undefined || (next !== undefined && next <= highest)) return new Set();
  return new Set(pods.filter((pod) => costOf(pod) <= highest));
}
