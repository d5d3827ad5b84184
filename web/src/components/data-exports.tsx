import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { DOWNLOAD_TIMEOUT_MS, saveBlob, startDownload } from '../lib/download.ts';
import { formatBytes, formatNumber, formatTime } from '../lib/format.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { DataExport } from '../lib/types.ts';
import { useSession } from '../session/session.ts';
import { Button } from './button.tsx';
import { DataLicense } from './data-license.tsx';
import { LoadError } from './feedback.tsx';
import { CheckField, TextField } from './form.tsx';
import { Icon } from './icon.tsx';
import { Panel } from './page.tsx';
import { toast } from './toasts.tsx';
import './bot-upload.css';

/** The displayed number of a batch, or the exports of periods. */
type Subject = { batch: number } | 'periods';

type Period = { from: string; to: string; ladder?: boolean };

const POLL_MS = 2_000;

const isOpen = ({ state }: DataExport) => state === 'waiting' || state === 'running';

/** Shows a panel with the exports of a batch or of periods, and the button that starts one. */
export function DataExports({ of }: { of: Subject }) {
  const client = useQueryClient();
  const queryKey = queryKeys.dataExports(of === 'periods' ? of : of.batch);
  const exports = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      of === 'periods'
        ? api.get('/live/exports', { signal })
        : api.get('/batches/{number}/exports', { params: { number: String(of.batch) }, signal }),
    refetchInterval: ({ state }) => (state.data?.exports.some(isOpen) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: (period: Period) =>
      of === 'periods'
        ? api.post('/live/exports', { body: period })
        : api.post('/batches/{number}/exports', { params: { number: String(of.batch) } }),
    onError: (error) => toast.error(`Failed to start the export. ${messageOf(error)}`),
    onSuccess: ({ state }) => {
      if (state === 'ready') toast.success('Nothing has changed since the last export. It is ready.');
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  // Ended exports are shown only until there is a newer one.
  const shown = exports.data?.exports.filter((one, index) => index === 0 || isOpen(one) || one.state === 'ready') ?? [];
  return (
    <Panel
      title="Export"
      id="export"
      actions={
        of !== 'periods' && (
          <Button
            small
            variant="secondary"
            disabled={start.isPending}
            onClick={() => start.mutate({ from: '', to: '' })}
          >
            {start.isPending ? 'Starting...' : 'Export'}
          </Button>
        )
      }
    >
      <div className="stack">
        <p className="muted">
          {of === 'periods' ? 'All public matches of a period' : 'All finished matches'} as tables for analysis
          (Parquet) and as Poker Hand History in one zip archive, with seeds, plans and standings. A README inside says
          how to read and verify it. <DataLicense />
        </p>
        {of === 'periods' && <PeriodForm busy={start.isPending} onStart={start.mutate} />}
        {exports.isError && <LoadError what="the exports" query={exports} />}
        {shown.length > 0 && (
          <ul className="data-exports" aria-label="Exports">
            {shown.map((one) => (
              <li key={one.id}>
                <ExportRow dataExport={one} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function PeriodForm({ busy, onStart }: { busy: boolean; onStart: (period: Period) => void }) {
  const { user } = useSession();
  const [ladder, setLadder] = useState(false);
  const today = new Date().toISOString().slice(0, 10);
  const [from, setFrom] = useState(today);
  const [to, setTo] = useState(today);
  const error = from > to ? 'The period ends before it begins.' : '';
  return (
    <form
      className="cluster data-exports-form"
      onSubmit={(event) => {
        event.preventDefault();
        onStart({ from, to, ...(ladder && { ladder }) });
      }}
    >
      <TextField
        label="First day (UTC)"
        type="date"
        required
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="Last day (UTC)"
        type="date"
        required
        value={to}
        error={error}
        onChange={(event) => setTo(event.target.value)}
      />
      {user?.admin && <CheckField label="The ladder's matches" checked={ladder} onCheck={setLadder} />}
      <Button type="submit" small disabled={busy || error !== ''}>
        {busy ? 'Starting...' : 'Export'}
      </Button>
    </form>
  );
}

function ExportRow({ dataExport }: { dataExport: DataExport }) {
  const { period, state, matches, matches_done: done, problem } = dataExport;
  const subject = period === null ? '' : `${period.ladder ? 'Ladder, ' : ''}${period.from} to ${period.to}: `;
  if (state === 'waiting') return <p role="status">{subject}The export waits for its turn.</p>;
  if (state === 'running') {
    return (
      <p className="cluster">
        <span>
          {subject}
          {formatNumber(done)} of {formatNumber(matches)} matches written
        </span>
        <progress value={done} max={matches} aria-label="Matches written" />
      </p>
    );
  }
  if (state !== 'ready') return <p role="status">{problem}</p>;
  return (
    <p className="cluster">
      <span>
        {subject}
        {formatNumber(matches)} {matches === 1 ? 'match' : 'matches'}, {formatNumber(dataExport.hands)} hands, made{' '}
        {formatTime(dataExport.ended_at)}
      </span>
      <DownloadButton dataExport={dataExport} />
    </p>
  );
}

function DownloadButton({ dataExport }: { dataExport: DataExport }) {
  const download = useMutation({
    mutationFn: async () => {
      if (await startDownload(`/live/exports/${dataExport.id}/download`)) return;
      const blob = await api.blob('/live/exports/{id}/download', {
        params: { id: dataExport.id },
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      });
      saveBlob(blob, `husky-holdem-batch-${dataExport.batch_number ?? dataExport.id}.zip`);
    },
    onError: (error) => toast.error(`Failed to download. ${messageOf(error)}`),
  });
  return (
    <Button small variant="secondary" disabled={download.isPending} onClick={() => download.mutate()}>
      <Icon name="download" /> {download.isPending ? 'Preparing...' : `Download (${formatBytes(dataExport.bytes)})`}
    </Button>
  );
}
