import { ErrorBox } from '../../components/error-box.tsx';
import { Panel, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { usePoolStatus } from './use-pool-status.ts';

export function PoolPanel() {
  const pool = usePoolStatus();
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
