import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Stats } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { saveText } from '../../lib/download.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import type { BotLog } from '../../lib/types.ts';

/** Opens the output of the user's own bot in a match, with its verdict and resource usage. */
export function BotLogButton({ jobId, username }: { jobId: string; username: string }) {
  const [log, setLog] = useState<BotLog | null>(null);
  const [busy, setBusy] = useState(false);

  const open = async () => {
    setBusy(true);
    try {
      setLog(await api.get('/live/job/{id}/log/{username}', { params: { id: jobId, username } }));
    } catch (error) {
      toast.error(
        isApiError(error, 404) ? 'This match has no log of your bot.' : `Failed to fetch log. ${messageOf(error)}`,
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button variant="ghost" small aria-label={`Bot log of job ${jobId}`} disabled={busy} onClick={() => void open()}>
        Bot log
      </Button>
      <Dialog
        open={log !== null}
        title="Bot log"
        wide
        onClose={() => setLog(null)}
        actions={
          <Button variant="secondary" onClick={() => saveText(log?.log ?? '', `bot_log_${jobId}.txt`)}>
            Download
          </Button>
        }
      >
        {log && <BotLogView log={log} />}
      </Dialog>
    </>
  );
}

function BotLogView({ log }: { log: BotLog }) {
  return (
    <div className="stack">
      <Stats
        items={[
          { label: 'Faults', value: log.faults },
          { label: 'CPU time', value: `${formatNumber(Math.round(log.cpu_ms))} ms`, text: true },
          { label: 'Peak memory', value: formatBytes(log.peak_memory_kib * 1024), text: true },
        ]}
      />
      {log.verdict && <p className="negative breakable">{log.verdict}</p>}
      {log.notes.length > 0 && (
        <>
          <h3>Notes of the platform</h3>
          <CodeView text={log.notes.join('\n')} label="Notes of the platform" />
          <h3>Output of your bot</h3>
        </>
      )}
      {log.log === '' ? (
        <p className="muted">Your bot printed nothing.</p>
      ) : (
        <CodeView text={log.log} label="Bot log" />
      )}
    </div>
  );
}
