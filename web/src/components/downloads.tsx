import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { DOWNLOAD_TIMEOUT_MS, saveBlob, startDownload } from '../lib/download.ts';
import { Button } from './button.tsx';
import { CiteButton, type Cited } from './cite.tsx';
import { Icon } from './icon.tsx';
import { Panel } from './page.tsx';
import { toast } from './toasts.tsx';

type Format = 'jsonl' | 'phh' | 'csv';

const FORMATS: { format: Format; label: string; extension: string }[] = [
  { format: 'jsonl', label: 'JSON lines', extension: 'jsonl' },
  { format: 'phh', label: 'PHH', extension: 'phhs' },
  { format: 'csv', label: 'CSV', extension: 'csv' },
];

/** Shows a panel with a button for each format in which a match or a batch can be downloaded. */
export function Downloads({ of, title = 'Download' }: { of: Cited; title?: string }) {
  const [busy, setBusy] = useState<Format>();
  const save = async (format: Format, extension: string) => {
    setBusy(format);
    try {
      if (!(await startDownload(pathOf(of, format)))) await savePrivate(of, format, extension);
    } catch (error) {
      toast.error(`Failed to download. ${messageOf(error)}`);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Panel
      title={title}
      id="download"
      actions={
        <>
          {FORMATS.map(({ format, label, extension }) => (
            <Button
              key={format}
              variant="secondary"
              small
              disabled={busy !== undefined}
              aria-label={`Download as ${label}`}
              onClick={() => void save(format, extension)}
            >
              <Icon name="download" /> {busy === format ? 'Preparing...' : label}
            </Button>
          ))}
          <CiteButton of={of} />
        </>
      }
    >
      <p className="muted">
        {'match' in of ? 'All hands in one file' : 'A zip archive with one file for each finished match'}: cards,
        actions and results, with players, bot hashes, commitment and seed. PHH is the Poker Hand History format that
        PokerKit reads.
      </p>
    </Panel>
  );
}

function pathOf(of: Cited, format: Format): string {
  const subject = 'match' in of ? `/live/job/${encodeURIComponent(of.match)}` : `/batches/${of.batch}`;
  return `${subject}/download?format=${format}`;
}

/** Downloads with the token, which a link cannot carry. The browser holds the whole file until it has arrived. */
async function savePrivate(of: Cited, format: Format, extension: string): Promise<void> {
  const query = { format };
  if ('match' in of) {
    const blob = await api.blob('/live/job/{id}/download', {
      params: { id: of.match },
      query,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    return saveBlob(blob, `match-${of.match}.${extension}`);
  }
  const blob = await api.blob('/batches/{number}/download', {
    params: { number: String(of.batch) },
    query,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  saveBlob(blob, `batch-${of.batch}-${format}.zip`);
}
