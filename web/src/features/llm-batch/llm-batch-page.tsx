import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows, RefreshButton } from '../../components/pagination.tsx';
import { RosterPage } from '../../components/roster-page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { invalidateJobs, POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import { BatchCard } from './batch-card.tsx';
import { BatchOptions, DEFAULT_OPTIONS, optionsToSend, stopToSend, useBatchPlan } from './batch-options.tsx';
import { combinationsText, MAX_USERS, TABLE_SIZE } from './batch-rules.ts';
import './llm-batch.css';

const PAGE_SIZE = 20;

export function LlmBatchPage() {
  const client = useQueryClient();
  const [roster, setRoster] = useState<string[]>([]);
  const [fields, setFields] = useState(DEFAULT_OPTIONS);
  const plan = useBatchPlan(roster.length, fields);
  const stopRule = stopToSend(fields, roster);
  const enough = roster.length >= TABLE_SIZE;

  const create = useMutation({
    mutationFn: () =>
      api.post('/llm/batch-run', {
        body: { users_list: roster, ...optionsToSend(fields), ...stopRule, public: fields.isPublic },
      }),
    onSuccess: (response) => {
      toast.success(`Batch created: ${response.total_jobs} jobs.`);
      setRoster([]);
    },
    onError: (error) => toast.error(`Failed to create batch: ${messageOf(error)}`),
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: queryKeys.batches }), invalidateJobs(client)]),
  });

  return (
    <RosterPage
      title="LLM Batch"
      lead="Every combination of six of the chosen users plays a match of 1,000 hands."
      rosterTitle="BATCH ROSTER"
      count={`${roster.length} selected`}
      ready={enough}
      roster={roster}
      seats={TABLE_SIZE}
      limit={MAX_USERS}
      onRoster={setRoster}
      below={
        <>
          <p className="combinations" role="status">
            {plan.text || combinationsText(roster.length)}
          </p>
          {plan.error && <p className="negative">{plan.error}</p>}
          <p className="muted">
            At least {TABLE_SIZE} users, at most {MAX_USERS}.
          </p>
          <BatchOptions roster={roster} fields={fields} onFields={setFields} />
          <Button
            disabled={!enough || plan.refused || stopRule === null || create.isPending}
            onClick={() => create.mutate()}
          >
            {enough ? 'CREATE BATCH' : `SELECT AT LEAST ${TABLE_SIZE} PARTICIPANTS`}
          </Button>
        </>
      }
    >
      <Batches />
    </RosterPage>
  );
}

function Batches() {
  const batches = usePagedList({
    queryKey: queryKeys.batches,
    pageSize: PAGE_SIZE,
    fetch: async (paging, signal) => {
      // The specification has the batches alone.
      const { batches: items, total_count: total = items.length } = await api.get('/llm/batches', {
        query: paging,
        signal,
      });
      return { items, total };
    },
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="BATCHES" flush actions={<RefreshButton list={batches} />}>
      <PagedRows list={batches} noun="batches" empty="No batch jobs found">
        {(rows) => (
          <ul className="batch-list">
            {rows.map((batch) => (
              <BatchCard key={batch.batch_id} batch={batch} />
            ))}
          </ul>
        )}
      </PagedRows>
    </Panel>
  );
}
