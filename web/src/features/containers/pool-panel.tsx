import { useQuery } from '@tanstack/react-query';
import { ErrorBox } from '../../components/error-box.tsx';
import { Panel, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PoolStatus } from '../../lib/types.ts';

export function PoolPanel() {
  const pool = useQuery({
    queryKey: queryKeys.poolStatus,
    queryFn: ({ signal }) => api.get<{ data: PoolStatus }>('/docker/pool/status', { signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="CURRENT POOL STATUS">
      {pool.isPending && <Loading inline />}
      {pool.isError && (
        <ErrorBox
          text={`Failed to load the pool's status. ${messageOf(pool.error)}`}
          onRetry={() => void pool.refetch()}
        />
      )}
      {pool.data && (
        <Stats
          items={[
            { label: 'Pool Size', value: pool.data.data.pool_size },
            { label: 'Active', value: pool.data.data.active_containers },
            { label: 'Idle', value: pool.data.data.idle_containers },
            { label: 'Acquired', value: pool.data.data.acquired_containers },
          ]}
        />
      )}
    </Panel>
  );
}
