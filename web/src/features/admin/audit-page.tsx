import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { saveBlob } from '../../lib/download.ts';
import { formatTime } from '../../lib/format.ts';
import { rangeText } from '../../lib/page-window.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AuditPageAnswer, AuditRecord } from '../../lib/types.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

const PAGE_SIZE = 50;
const SEARCH_DELAY_MS = 300;
const EMPTY = { q: '', actor: '', action: '', subject: '' };
const LABELS = { q: 'Search', actor: 'Who', action: 'Action', subject: 'On what' } as const;

const json = (value: unknown) => (value === null || value === undefined ? '—' : JSON.stringify(value));

const COLUMNS: Column<AuditRecord>[] = [
  { label: 'When', cell: (record) => formatTime(record.occurred_at) },
  { label: 'Who', cell: (record) => record.actor ?? <span className="muted">{record.actor_kind}</span> },
  { label: 'Action', cell: (record) => record.action },
  {
    label: 'On what',
    cell: (record) => <span className="breakable">{`${record.subject_kind} ${record.subject}`}</span>,
  },
  { label: 'Before', cell: (record) => <code className="breakable">{json(record.before)}</code> },
  { label: 'After', cell: (record) => <code className="breakable">{json(record.after)}</code> },
  { label: 'Address', cell: (record) => record.address ?? '—' },
];

/** /admin/audit: who did what, when, with before and after. */
export function AuditPage() {
  const [filters, setFilters] = useState(EMPTY);
  const [page, setPage] = useState(1);
  const q = useDebounced(filters.q.trim(), SEARCH_DELAY_MS);
  const actor = useDebounced(filters.actor.trim(), SEARCH_DELAY_MS);
  const action = useDebounced(filters.action.trim(), SEARCH_DELAY_MS);
  const subject = useDebounced(filters.subject.trim(), SEARCH_DELAY_MS);
  const query = { q, actor, action, subject };
  const audit = useQuery({
    queryKey: [...queryKeys.audit, query, page],
    queryFn: ({ signal }) =>
      api.get<AuditPageAnswer>('/admin/audit', { query: { ...query, page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
  const save = async (format: 'csv' | 'jsonl') => {
    try {
      saveBlob(await api.blob('/admin/audit/export', { query: { ...query, format } }), `audit.${format}`);
    } catch (error) {
      toast.error(`Failed to export the audit log. ${messageOf(error)}`);
    }
  };
  const total = audit.data?.total_count ?? 0;

  return (
    <Page
      title="Audit Log"
      width="wide"
      before={<BackLink to="/admin">Back to admin dashboard</BackLink>}
      actions={
        <>
          <Button variant="secondary" onClick={() => void save('csv')}>
            Export CSV
          </Button>
          <Button variant="secondary" onClick={() => void save('jsonl')}>
            Export JSON lines
          </Button>
        </>
      }
    >
      <Panel title="RECORDS" flush>
        <div className="panel-body field-grid">
          {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => (
            <TextField
              key={name}
              label={LABELS[name]}
              type="search"
              value={filters[name]}
              onChange={(event) => {
                setFilters({ ...filters, [name]: event.target.value });
                setPage(1);
              }}
            />
          ))}
        </div>
        {audit.isPending && <Loading inline />}
        {audit.isError && (
          <div className="panel-body">
            <ErrorBox
              text={`Failed to load the audit log. ${messageOf(audit.error)}`}
              onRetry={() => void audit.refetch()}
            />
          </div>
        )}
        {audit.data?.records.length === 0 && <EmptyState title="No records found" />}
        {audit.data && audit.data.records.length > 0 && (
          <>
            <Table caption="Audit log" columns={COLUMNS} rows={audit.data.records} rowKey={(record) => record.id} />
            <div className="panel-body stack">
              <p className="muted" role="status">
                {rangeText(page, PAGE_SIZE, total)} records
              </p>
              <Pagination
                label="Pages of records"
                page={page}
                totalPages={Math.ceil(total / PAGE_SIZE)}
                onPage={setPage}
              />
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}
