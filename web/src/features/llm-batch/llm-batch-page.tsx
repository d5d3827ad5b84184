import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { toast } from '../../components/toast-store.ts';
import { Roster, UserPicker } from '../../components/user-picker.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { BatchPage } from '../../lib/types.ts';
import { BatchCard } from './batch-card.tsx';
import { combinationsText, MAX_USERS, TABLE_SIZE } from './batch-rules.ts';
import './llm-batch.css';

const PAGE_SIZE = 20;

export function LlmBatchPage() {
  const client = useQueryClient();
  const [roster, setRoster] = useState<string[]>([]);
  const enough = roster.length >= TABLE_SIZE;

  const create = useMutation({
    mutationFn: () => api.post<{ batch_id: string; total_jobs: number }>('/llm/batch-run', { users_list: roster }),
    onSuccess: (answer) => {
      toast.success(`Batch created: ${answer.total_jobs} jobs.`);
      setRoster([]);
    },
    onError: (error) => toast.error(`Failed to create batch: ${messageOf(error)}`),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.batches }),
  });

  return (
    <Page
      title="LLM Batch"
      width="wide"
      before={<BackLink to="/admin">Admin Dashboard</BackLink>}
      lead="Every combination of six of the chosen users plays a match of 1,000 hands."
    >
      <div className="columns columns-lead">
        <Panel title="Participants">
          <UserPicker roster={roster} limit={MAX_USERS} onRoster={setRoster} />
        </Panel>
        <Panel
          title="BATCH ROSTER"
          actions={
            <>
              <Badge color={enough ? 'green' : 'accent'}>{roster.length} selected</Badge>
              <Button variant="ghost" small disabled={roster.length === 0} onClick={() => setRoster([])}>
                CLEAR ALL
              </Button>
            </>
          }
        >
          <div className="stack">
            <Roster roster={roster} seats={TABLE_SIZE} onRoster={setRoster} />
            <p className="combinations" role="status">
              {combinationsText(roster.length)}
            </p>
            <p className="muted">
              At least {TABLE_SIZE} users, at most {MAX_USERS}.
            </p>
            <Button disabled={!enough || create.isPending} onClick={() => create.mutate()}>
              {enough ? 'CREATE BATCH' : `SELECT AT LEAST ${TABLE_SIZE} PARTICIPANTS`}
            </Button>
          </div>
        </Panel>
      </div>
      <Batches />
    </Page>
  );
}

function Batches() {
  const [page, setPage] = useState(1);
  const batches = useQuery({
    queryKey: [...queryKeys.batches, page],
    queryFn: ({ signal }) => api.get<BatchPage>('/llm/batches', { query: { page, page_size: PAGE_SIZE }, signal }),
    refetchInterval: POLL_ADMIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="BATCHES"
      flush
      actions={
        <Button variant="secondary" small disabled={batches.isFetching} onClick={() => void batches.refetch()}>
          <Icon name="refresh" />
          Refresh
        </Button>
      }
    >
      {batches.isPending && <Loading inline />}
      {batches.isError && (
        <div className="panel-body">
          <ErrorBox
            text={`Failed to load batches. ${messageOf(batches.error)}`}
            onRetry={() => void batches.refetch()}
          />
        </div>
      )}
      {batches.data?.batches.length === 0 && <EmptyState title="No batch jobs found" />}
      <ul className="batch-list">
        {batches.data?.batches.map((batch) => (
          <BatchCard key={batch.batch_id} batch={batch} />
        ))}
      </ul>
      {batches.data && batches.data.total_count > PAGE_SIZE && (
        <div className="panel-body">
          <Pagination
            label="Pages of batches"
            page={page}
            totalPages={Math.ceil(batches.data.total_count / PAGE_SIZE)}
            onPage={setPage}
          />
        </div>
      )}
    </Panel>
  );
}
