import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';

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
