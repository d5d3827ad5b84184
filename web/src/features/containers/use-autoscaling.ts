import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';

export function useAutoscaling() {
  return useQuery({
    queryKey: queryKeys.autoscaling,
    queryFn: ({ signal }) => api.get('/docker/pool/autoscaling', { signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
}
