import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/form.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatNumber, formatTimeWithSeconds } from '../../lib/format.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';
import type { ParkedMessage } from '../../lib/types.ts';
import './audit.css';

type Service = ParkedMessage['service'];
const SERVICES: readonly Service[] = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard'];
const PAGE_SIZE = 50;

const COLUMNS: Column<ParkedMessage>[] = [
  {
    label: 'Parked',
    cell: ({ parked_at }) => (
      <time className="audit-when" dateTime={parked_at}>
        {formatTimeWithSeconds(parked_at)}
      </time>
    ),
  },
  { label: 'Service', brief: true, cell: ({ service }) => service },
  {
    label: 'Event',
    cell: ({ subject, consumer, message_id }) => (
      <span className="breakable" title={`${consumer}, message ${message_id}`}>
        {subject}
      </span>
    ),
  },
  { label: 'Reason', cell: ({ reason }) => <span className="breakable">{reason}</span> },
  { label: 'Deliveries', align: 'end', cell: ({ deliveries }) => formatNumber(deliveries) },
];

/** Shows /admin/parked: events that a service could not handle. An admin replays them or discards them with a reason. */
export function ParkedPage() {
  const [service, setService] = useState<Service | ''>('');
  const actions = useParkedActions();
  const messages = usePagedList({
    queryKey: [...queryKeys.parkedMessages, service],
    pageSize: PAGE_SIZE,
    fetch: async (paging, signal) => {
      const { messages, total_count } = await api.get('/admin/parked-messages', {
        query: { ...(service === '' ? {} : { service }), ...paging },
        signal,
      });
      return { items: messages, total: total_count };
    },
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });
  const columns = [...COLUMNS, { label: 'Actions', cell: actions.buttons }];

  return (
    <Page title="Parked Messages" width="wide" before={<BackLink to="/admin">Back to admin dashboard</BackLink>}>
      <Panel title="EVENTS THAT COULD NOT BE HANDLED" flush>
        <div className="panel-body field-grid audit-filters">
          <SelectField
            label="Service"
            value={service}
            hint="An event is parked after 8 deliveries. Replay it when the cause is removed."
            onChange={(event) => {
              setService(event.target.value as Service | '');
              messages.setPage(1);
            }}
          >
            <option value="">All</option>
            {SERVICES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <PagedRows list={messages} noun="messages" empty="No parked messages">
          {(rows) => (
            <div className="audit-table">
              <Table
                caption="Parked messages"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                foldedAs={({ subject, parked_at }) => `${subject}, ${formatTimeWithSeconds(parked_at)}`}
              />
            </div>
          )}
        </PagedRows>
      </Panel>
      {actions.dialog}
    </Page>
  );
}

/** Returns the actions on a parked message and the dialog that asks for the reason of a discard. */
function useParkedActions() {
  const client = useQueryClient();
  const [toDiscard, setToDiscard] = useState<ParkedMessage | null>(null);
  const [reason, setReason] = useState('');
  const onSettled = () => client.invalidateQueries({ queryKey: queryKeys.parkedMessages });
  const replay = useMutation({
    mutationFn: ({ id }: ParkedMessage) => api.post('/admin/parked-messages/{id}/replay', { params: { id } }),
    onSuccess: ({ service }) => toast.success(`${service} handles the message again within seconds.`),
    onError: (error) => toast.error(`Failed to replay the message: ${messageOf(error)}`),
    onSettled,
  });
  const discard = useMutation({
    mutationFn: ({ id }: ParkedMessage) =>
      api.post('/admin/parked-messages/{id}/discard', { params: { id }, body: { reason: reason.trim() } }),
    onSuccess: () => toast.success('Message discarded.'),
    onError: (error) => toast.error(`Failed to discard the message: ${messageOf(error)}`),
    onSettled: () => {
      setToDiscard(null);
      setReason('');
      return onSettled();
    },
  });

  const buttons = (message: ParkedMessage) => (
    <div className="cell-actions">
      <Button
        variant="secondary"
        small
        disabled={replay.isPending || message.replay_requested_at !== null}
        onClick={() => replay.mutate(message)}
      >
        {message.replay_requested_at === null ? 'REPLAY' : 'REPLAY REQUESTED'}
        <span className="visually-hidden"> {message.subject}</span>
      </Button>
      <Button variant="danger" small onClick={() => setToDiscard(message)}>
        DISCARD…<span className="visually-hidden"> {message.subject}</span>
      </Button>
    </div>
  );
  const dialog = (
    <ConfirmDialog
      open={toDiscard !== null}
      title="Discard message"
      confirmLabel="Discard"
      busy={discard.isPending || reason.trim() === ''}
      onConfirm={() => toDiscard && discard.mutate(toDiscard)}
      onCancel={() => setToDiscard(null)}
    >
      <p>
        {toDiscard?.service} will never handle this {toDiscard?.subject} event. This cannot be undone.
      </p>
      <TextField
        label="Reason"
        hint="Recorded in the audit log"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
  return { buttons, dialog };
}
