import { Button } from '../components/button.tsx';
import type { Length } from './director.ts';
import type { Settings } from './play.ts';

const LENGTHS: readonly { length: Length; label: string }[] = [
  { length: 1, label: '1 minute' },
  { length: 3, label: '3 minutes' },
  { length: 10, label: '10 minutes' },
  { length: 'all', label: 'Everything' },
];

/** Stops the broadcast and lets it go on. */
export function PauseButton({ paused, onChange }: { paused: boolean; onChange: Props['onChange'] }) {
  return (
    <Button small variant="secondary" onClick={() => onChange({ paused: !paused })}>
      {paused ? 'Play' : 'Pause'}
    </Button>
  );
}

type Props = {
  settings: Settings;
  finished: boolean;
  atNewest: boolean;
  onChange: (change: Partial<Settings>) => void;
  onAgain: () => void;
};

/** Shows the controls of a broadcast: pause, length, and the jump to the newest hand. */
export function Controls({ settings, finished, atNewest, onChange, onAgain }: Props) {
  const { paused, length, jump } = settings;
  return (
    // biome-ignore lint/a11y/useSemanticElements: playback controls are not a form's fieldset
    <div className="broadcast-controls" role="group" aria-label="Playback">
      {finished ? (
        <Button small variant="secondary" onClick={onAgain}>
          Watch again
        </Button>
      ) : (
        <PauseButton paused={paused} onChange={onChange} />
      )}
      <select
        className="field-input"
        aria-label="Length"
        value={String(length)}
        onChange={({ target }) =>
          onChange({ length: LENGTHS.find((entry) => String(entry.length) === target.value)?.length ?? 3 })
        }
      >
        {LENGTHS.map((entry) => (
          <option key={entry.label} value={String(entry.length)}>
            {entry.label}
          </option>
        ))}
      </select>
      <Button small variant="secondary" disabled={atNewest} onClick={() => onChange({ paused: false, jump: jump + 1 })}>
        Newest hand
      </Button>
    </div>
  );
}
