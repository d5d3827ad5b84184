import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, isApiError, messageOf } from '../../lib/api.ts';
import { saveText } from '../../lib/download.ts';

type BotLog = { log_content: string; truncated?: boolean };

/** What one's own bot printed in a match, with the faults that the dealer noted. */
export function BotLogButton({ jobId }: { jobId: string }) {
  const [log, setLog] = useState<BotLog | null>(null);
  const [busy, setBusy] = useState(false);

  const open = async () => {
    setBusy(true);
    try {
      setLog(await api.get<BotLog>(`/live/job/${encodeURIComponent(jobId)}/bot-log`));
    } catch (error) {
      toast.error(
        isApiError(error, 404) ? 'This match keeps no log of your bot.' : `Failed to fetch log. ${messageOf(error)}`,
      );
    } finally {
      setBusy(false);
    }
  };

  const text = log?.log_content ?? '';
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
          <Button variant="secondary" onClick={() => saveText(text, `bot_log_${jobId}.txt`)}>
            Download
          </Button>
        }
      >
        {text === '' ? <p>Your bot printed nothing.</p> : <CodeView text={text} label="Bot log" />}
      </Dialog>
    </>
  );
}
