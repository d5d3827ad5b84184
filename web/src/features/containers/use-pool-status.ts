import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';

export function usePoolStatus() {
  return useQuery({
    queryKey: queryKeys.poolStatus,
    queryFn: ({ signal }) => api.get('/docker/pool/status', { signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
}
