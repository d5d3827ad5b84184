import { Fragment } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { SearchField, TimeField } from '../../components/form.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { saveBlob } from '../../lib/download.ts';
import { formatTimeWithSeconds, shortId } from '../../lib/format.ts';
import { usePagedList, usePagedSearch } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AuditRecord } from '../../lib/types.ts';
import './audit.css';

type Names = AuditRecord['names'];

/** Formats a value as text: ids of users as names, lists as items, nested objects as JSON. */
export function valueText(value: unknown, names: Names): string {
  if (typeof value === 'string') return names[value] ?? (value === '' ? '""' : value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((item) => valueText(item, names)).join(', ');
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the fields of a record's before or after state. Fields that differ from `other` are highlighted. */
function AuditFields({ fields, other, names }: { fields: unknown; other: unknown; names: Names }) {
  if (fields === null || fields === undefined) return '—';
  if (!isFields(fields)) return <span className="breakable">{valueText(fields, names)}</span>;
  const differs = (key: string) => isFields(other) && JSON.stringify(other[key]) !== JSON.stringify(fields[key]);
  return (
    <dl className="audit-fields">
      {Object.entries(fields).map(([key, value]) => (
        <div key={key}>
          <dt>{names[key] ?? key}</dt>
          <dd className={differs(key) ? 'audit-changed' : undefined}>{valueText(value, names)}</dd>
        </div>
      ))}
    </dl>
  );
}

const PAGE_SIZE = 50;
const EMPTY = { q: '', actor: '', action: '', subject: '', from: '', to: '' };
const LABELS = { q: 'Search', actor: 'Who', action: 'Action', subject: 'Target' } as const;
const TIMES = { from: 'From', to: 'To' } as const;

/** Shows the name of an action, which wraps between its words only. */
function Action({ name }: { name: string }) {
  return name.split(/(?<=[._])/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words have a fixed order
    <Fragment key={index}>
      {word}
      <wbr />
    </Fragment>
  ));
}

/** Shows the subject by its name, otherwise by the start of its id, linked to its page if it has one. The tooltip has the id. */
function Subject({ record }: { record: AuditRecord }) {
  const { subject_kind: kind, subject, subject_id: id } = record;
  const name = subject === id ? null : subject;
  const page = kind === 'user' && name !== null ? `/profile/${encodeURIComponent(name)}` : null;
  const job = kind === 'job' ? `/games/${encodeURIComponent(id)}` : null;
  const to = page ?? job;
  const text = `${kind} ${name ?? shortId(id)}`;
  return (
    <span className="breakable" title={id}>
      {to === null ? text : <Link to={to}>{text}</Link>}
    </span>
  );
}

const COLUMNS: Column<AuditRecord>[] = [
  {
    label: 'When',
    cell: (record) => (
      <time className="audit-when" dateTime={record.occurred_at} title={record.occurred_at}>
        {formatTimeWithSeconds(record.occurred_at)}
      </time>
    ),
  },
  {
    label: 'Who',
    cell: (record) =>
      record.actor === null ? (
        <span className="muted">{record.actor_kind}</span>
      ) : (
        <span className="breakable" title={record.actor_id ?? undefined}>
          {record.actor}
        </span>
      ),
  },
  { label: 'Action', brief: true, cell: (record) => <Action name={record.action} /> },
  { label: 'Target', cell: (record) => <Subject record={record} /> },
  {
    label: 'Before',
    cell: (record) => <AuditFields fields={record.before} other={record.after} names={record.names} />,
  },
  {
    label: 'After',
    cell: (record) => <AuditFields fields={record.after} other={record.before} names={record.names} />,
  },
  { label: 'Address', cell: (record) => record.address ?? '—' },
];

/** Shows /admin/audit: records with actor, action, subject, time, and the state before and after. */
export function AuditPage() {
  const search = usePagedSearch(EMPTY);
  const { filters, query, change } = search;
  const records = usePagedList({
    queryKey: [...queryKeys.audit, query],
    pageSize: PAGE_SIZE,
    search,
    fetch: async (paging, signal) => {
      const { records, total_count } = await api.get('/admin/audit', {
        query: { ...query, ...paging },
        signal,
      });
      return { items: records, total: total_count };
    },
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
        <div className="panel-body field-grid audit-filters">
          {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => (
            <SearchField
              key={name}
              label={LABELS[name]}
              value={filters[name]}
              onSearch={(text) => change({ [name]: text })}
            />
          ))}
          {(Object.keys(TIMES) as (keyof typeof TIMES)[]).map((name) => (
            <TimeField
              key={name}
              label={TIMES[name]}
              value={filters[name]}
              onTime={(time) => change({ [name]: time })}
            />
          ))}
        </div>
        <PagedRows list={records} noun="records" empty="No records found">
          {(rows) => (
            <div className="audit-table">
              <Table
                caption="Audit log"
                columns={COLUMNS}
                rows={rows}
                rowKey={(record) => record.id}
                foldedAs={({ action, occurred_at }) => `${action}, ${formatTimeWithSeconds(occurred_at)}`}
              />
            </div>
          )}
        </PagedRows>
      </Panel>
    </Page>
  );
}
