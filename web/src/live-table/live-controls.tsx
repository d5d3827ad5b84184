import { Button } from '../components/button.tsx';
import type { Pace } from './choose-hand.ts';
import type { Settings } from './director.ts';

const PACES: readonly { pace: Pace; label: string }[] = [
  { pace: 'live', label: 'Live' },
  ...([0.5, 1, 2, 4, 8, 16] as const).map((pace) => ({ pace, label: `${pace}x` })),
];

type Props = { settings: Settings; atLive: boolean; onChange: (change: Partial<Settings>) => void };

/** Shows the controls of the live table: pause, speed, choice of hands, and the jump to the newest hand. */
export function LiveControls({ settings, atLive, onChange }: Props) {
  const { paused, pace, mattersOnly, jump } = settings;
  return (
    // biome-ignore lint/a11y/useSemanticElements: playback controls are not a form's fieldset
    <div className="live-controls" role="group" aria-label="Playback">
      <Button small variant="secondary" onClick={() => onChange({ paused: !paused })}>
        {paused ? 'Play' : 'Pause'}
      </Button>
      <label className="live-speed">
        Speed
        <select
          className="field-input"
          value={String(pace)}
          onChange={({ target }) =>
            onChange({ pace: PACES.find((entry) => String(entry.pace) === target.value)?.pace ?? 'live' })
          }
        >
          {PACES.map((entry) => (
            <option key={entry.label} value={String(entry.pace)}>
              {entry.label}
            </option>
          ))}
        </select>
      </label>
      <Button
        small
        variant={mattersOnly ? 'primary' : 'ghost'}
        aria-pressed={mattersOnly}
        title="Big pots, all-ins, showdowns and eliminations"
        onClick={() => onChange({ mattersOnly: !mattersOnly })}
      >
        Every hand that matters
      </Button>
      <Button
        small
        variant="secondary"
        disabled={atLive}
        onClick={() => onChange({ paused: false, pace: 'live', jump: jump + 1 })}
      >
        Jump to live
      </Button>
    </div>
  );
}
