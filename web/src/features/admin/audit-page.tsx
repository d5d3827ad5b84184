import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { saveBlob } from '../../lib/download.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AuditPageAnswer, AuditRecord } from '../../lib/types.ts';
import { usePagedSearch } from '../../lib/use-paged-search.ts';

const PAGE_SIZE = 50;
const EMPTY = { q: '', actor: '', action: '', subject: '' };
const LABELS = { q: 'Search', actor: 'Who', action: 'Action', subject: 'On what' } as const;

/** As JSON, with each user's name behind their id. */
function json(value: unknown, names: AuditRecord['names']) {
  if (value === null || value === undefined) return '—';
  const text = JSON.stringify(value);
  return Object.entries(names).reduce((all, [id, name]) => all.replaceAll(`"${id}"`, `"${id}" (${name})`), text);
}

function Person({ name, id }: { name: string; id: string | null }) {
  return (
    <>
      {name}
      {id !== null && <small className="muted breakable"> {id}</small>}
    </>
  );
}

const COLUMNS: Column<AuditRecord>[] = [
  { label: 'When', cell: (record) => formatTime(record.occurred_at) },
  {
    label: 'Who',
    cell: (record) =>
      record.actor === null ? (
        <span className="muted">{record.actor_kind}</span>
      ) : (
        <Person name={record.actor} id={record.actor_id} />
      ),
  },
  { label: 'Action', cell: (record) => record.action },
  {
    label: 'On what',
    cell: (record) => (
      <span className="breakable">
        {record.subject_kind}{' '}
        <Person name={record.subject} id={record.subject === record.subject_id ? null : record.subject_id} />
      </span>
    ),
  },
  { label: 'Before', cell: (record) => <code className="breakable">{json(record.before, record.names)}</code> },
  { label: 'After', cell: (record) => <code className="breakable">{json(record.after, record.names)}</code> },
  { label: 'Address', cell: (record) => record.address ?? '—' },
];

/** /admin/audit: who did what, when, with before and after. */
export function AuditPage() {
  const { filters, query, change, page, setPage } = usePagedSearch(EMPTY);
  const audit = useQuery({
    queryKey: [...queryKeys.audit, query, page],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page, page_size: PAGE_SIZE };
      const { records, total_count } = await api.get<AuditPageAnswer>('/admin/audit', { query: asked, signal });
      return { items: records, total: total_count };
    },
    placeholderData: keepPreviousData,
  });
  const save = async (format: 'csv' | 'jsonl') => {
    try {
      saveBlob(await api.blob('/admin/audit/export', { query: { ...query, format } }), `audit.${format}`);
    } catch (error) {
      toast.error(`Failed to export the audit log. ${messageOf(error)}`);
    }
  };

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
            <SearchField
              key={name}
              label={LABELS[name]}
              value={filters[name]}
              onSearch={(text) => change({ [name]: text })}
            />
          ))}
        </div>
        <PagedRows
          asked={audit}
          noun="records"
          empty="No records found"
          page={page}
          pageSize={PAGE_SIZE}
          onPage={setPage}
        >
          {(rows) => <Table caption="Audit log" columns={COLUMNS} rows={rows} rowKey={(record) => record.id} />}
        </PagedRows>
      </Panel>
    </Page>
  );
}
