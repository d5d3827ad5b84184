import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import type { Autoscaling, Container } from '../../lib/types.ts';

/** Smallest size of the pool. */
export const MIN_POOL_SIZE = 3;

/** Parses the target size; null unless it is an integer of at least 3. */
export function readTargetSize(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= MIN_POOL_SIZE ? value : null;
}

/** The inputs as text. */
export type Bounds = { minimum: string; maximum: string; drainSeconds: string };
export type ReadBounds = { minimum: number; maximum: number; drainSeconds: number };

/** Parses the bounds; returns an error text if they are invalid. */
export function readBounds(bounds: Bounds, poolLimit: number): ReadBounds | string {
  const minimum = readTargetSize(bounds.minimum);
  const maximum = readTargetSize(bounds.maximum);
  const drainSeconds = Number(bounds.drainSeconds);
  if (minimum === null) return 'The minimum must be a whole number of at least 3.';
  if (maximum === null || maximum > poolLimit) return `The maximum must be a whole number from 3 to ${poolLimit}.`;
  if (maximum < minimum) return 'The maximum must not be below the minimum.';
  if (!Number.isInteger(drainSeconds) || drainSeconds < 10 || drainSeconds > 86_400) {
    return 'The backlog must be played within 10 to 86,400 seconds.';
  }
  return { minimum, maximum, drainSeconds };
}

/** Returns the fields that differ from the saved ones; unset fields follow the configuration. */
export function autoscalingChange(read: ReadBounds, saved: Autoscaling): Partial<Autoscaling> {
  return {
    ...(read.minimum === saved.minimum ? {} : { minimum: read.minimum }),
    ...(read.maximum === saved.maximum ? {} : { maximum: read.maximum }),
    ...(read.drainSeconds === saved.drain_seconds ? {} : { drain_seconds: read.drainSeconds }),
  };
}

/** Returns the containers whose name, port and state together contain every word. */
export function findContainers(containers: readonly Container[], text: string): readonly Container[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return containers;
  return containers.filter(({ container_name, port, state }) => {
    const described = `${container_name} ${port} ${state}`.toLowerCase();
    return words.every((word) => described.includes(word));
  });
}

/** Counts the containers by state, the most frequent first: "900 idle, 100 active". */
export function countStates(containers: readonly Container[]): string {
  const groups = [...Map.groupBy(containers, ({ state }) => state)];
  return groups
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([state, { length }]) => `${formatNumber(length)} ${state}`)
    .join(', ');
}

/** Polls all runners; those with a match come first. */
export function useContainers() {
  return useQuery({
    queryKey: queryKeys.containers,
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/docker/pool/detailed', { signal });
      return [...data.active_containers, ...data.idle_containers];
    },
    refetchInterval: POLL_ADMIN_MS,
  });
}

export function usePoolStatus() {
  return useQuery({
    queryKey: queryKeys.poolStatus,
    queryFn: ({ signal }) => api.get('/docker/pool/status', { signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
}

export function useAutoscaling() {
  return useQuery({
    queryKey: queryKeys.autoscaling,
    queryFn: ({ signal }) => api.get('/docker/pool/autoscaling', { signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
}
