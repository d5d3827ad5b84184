import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryState } from '../../components/feedback.tsx';
import { Form, SubmitButton, TextField } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Panel, Stats } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob, ScalingJob } from '../../lib/types.ts';
import { MIN_POOL_SIZE, readTargetSize, useAutoscaling, usePoolStatus } from './pool-rules.ts';

export function PoolPanel() {
  const pool = usePoolStatus();
  return (
    <Panel title="CURRENT POOL STATUS">
      <QueryState what="the pool's status" query={pool} />
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

export function ScaleForm() {
  const client = useQueryClient();
  const automatic = useAutoscaling().data?.enabled === true;
  // Shows the current target size until the user types.
  const [typed, setTyped] = useState<string | null>(null);
  const pool = usePoolStatus();
  const text = typed ?? String(pool.data?.data.target_size ?? MIN_POOL_SIZE);
  const scale = useMutation({
    mutationFn: (size: number) => api.post('/docker/pool/scale', { query: { target_size: size } }),
    onSuccess: (response, size) => {
      const ended = response.message.includes('Autoscaling') ? ' Autoscaling is off now.' : '';
      toast.success(`Scaling to ${size} started.${ended}`);
      setTyped(null);
    },
    onError: (error) => toast.error(`Scaling failed. ${detailOf(error, 'Failed to scale pool')}`),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.scalingJobs }),
        client.invalidateQueries({ queryKey: queryKeys.poolStatus }),
        client.invalidateQueries({ queryKey: queryKeys.autoscaling }),
        client.invalidateQueries({ queryKey: queryKeys.containers }),
      ]),
  });

  const submit = () => {
    const size = readTargetSize(text);
    if (size === null) toast.error(`Target size must be at least ${MIN_POOL_SIZE}`);
    else scale.mutate(size);
  };

  return (
    <Panel title="Adjust Pool Size">
      <Form onSubmit={submit}>
        <TextField
          label="Target size"
          type="number"
          inputMode="numeric"
          min={MIN_POOL_SIZE}
          step={1}
          value={text}
          hint={`At least ${MIN_POOL_SIZE}${automatic ? '. Autoscaling is on: scaling by hand switches it off.' : ''}`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <SubmitButton busy={scale.isPending} label="Scale Now" busyLabel="Scaling..." />
      </Form>
    </Panel>
  );
}

export function ScalingJobs() {
  const jobs = usePagedList({
    queryKey: queryKeys.scalingJobs,
    fetch: (paging, signal) => api.getList('/admin/scaling-jobs', { query: paging, signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="ACTIVE SCALING JOBS" flush>
      <PagedRows list={jobs} noun="scaling jobs" empty="No scaling jobs found">
        {(rows) => (
          <JobTable
            caption="Scaling jobs"
            jobs={rows}
            plain
            extra={[
              { label: 'Size', cell: sizeText },
              { label: 'Started', cell: (job) => formatTime(job.created_at) },
            ]}
          />
        )}
      </PagedRows>
    </Panel>
  );
}

function sizeText(job: AdminJob): string {
  const {
    from_size: from,
    target_size: target,
    current_size: current,
    waiting_reason: waitingReason,
  } = job as ScalingJob;
  if (target === undefined) return '—';
  const now = current === target ? '' : ` (now ${current})`;
  return `${from} → ${target}${now}${waitingReason ? `. Waits: ${waitingReason}` : ''}`;
}
