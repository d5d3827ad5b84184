import { useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextAreaField } from '../../components/form.tsx';

type Props = { open: boolean; gameId: string; query: string; onClose: () => void };

/** Returns the HTML of a frame with the replay, for other sites. */
export function embedCode(origin: string, gameId: string, query: string): string {
  const address = `${origin}/embed/replay/${encodeURIComponent(gameId)}${query === '' ? '' : `?${query}`}`.replaceAll(
    '&',
    '&amp;',
  );
  return `<iframe src="${address}" width="800" height="680" title="Poker replay" allow="fullscreen" loading="lazy"></iframe>`;
}

/** Shows the HTML with which another site shows this replay. */
export function EmbedDialog({ open, gameId, query, onClose }: Props) {
  const [autoplay, setAutoplay] = useState(false);
  const params = new URLSearchParams(query);
  if (autoplay) params.set('autoplay', '1');
  const code = embedCode(window.location.origin, gameId, params.toString());
  return (
    <Dialog
      open={open}
      title="Embed this replay"
      onClose={onClose}
      actions={<CopyButton text={code} label="Copy HTML" />}
    >
      <div className="stack">
        <TextAreaField
          label="HTML for your page"
          hint="The frame starts at the current step. It works while the match is public."
          value={code}
          rows={5}
          readOnly
        />
        <label className="embed-autoplay">
          <input type="checkbox" checked={autoplay} onChange={(event) => setAutoplay(event.target.checked)} />
          Play at once, without sound
        </label>
      </div>
    </Dialog>
  );
}
