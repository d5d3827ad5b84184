import { useMemo, useState } from 'react';
import { DiffView } from '../components/diff-view.tsx';
import { diffTexts } from '../lib/diff-lines.ts';
import { formatTime } from '../lib/format.ts';
import type { BotCode } from '../lib/types.ts';

/** Shows the changes between the previous version and the one that played, once they are opened. */
export function VersionChanges({ code }: { code: BotCode }) {
  const [open, setOpen] = useState(false);
  const { version, previous } = code;
  if (previous === null) return <p className="muted">No earlier version of this bot is stored to compare with.</p>;
  return (
    <details className="doctor-changes" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Changes since the version of {formatTime(previous.first_used_at)}</summary>
      {open && (
        <div>
          <FileChanges name="player.py" before={previous.player_file} after={version.player_file} />
          <FileChanges name="requirements.txt" before={previous.requirements_file} after={version.requirements_file} />
        </div>
      )}
    </details>
  );
}

function FileChanges({ name, before, after }: { name: string; before: string; after: string }) {
  const lines = useMemo(() => diffTexts(before, after), [before, after]);
  if (lines.length === 0) return <p className="muted">{name} is unchanged.</p>;
  return (
    <>
      <h3>{name}</h3>
      <DiffView lines={lines} label={`Changes of ${name}`} />
    </>
  );
}
