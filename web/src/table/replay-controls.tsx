import { Button } from '../components/button.tsx';
import { describeMove } from './descriptions.ts';
import { type Game, roundName } from './game.ts';
import { SPEEDS, setPreferences, usePreferences } from './preferences.ts';
import { streetSteps } from './replay-state.ts';
import { Scrubber } from './scrubber.tsx';
import type { ReplayMode, Stage, TableState } from './table-state.ts';
import type { Replay } from './use-replay.ts';
import './replay-controls.css';

const MODES: { mode: ReplayMode; label: string }[] = [
  { mode: 'action', label: 'Actions this Hand' },
  { mode: 'round', label: 'Results' },
];

/** Switches between stepping by action and by street. */
export function ModeSwitch({ mode, onMode }: { mode: ReplayMode; onMode: (mode: ReplayMode) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two toggles are not a form's fieldset
    <div className="replay-modes" role="group" aria-label="Mode">
      {MODES.map((entry) => (
        <Button
          key={entry.mode}
          small
          variant={entry.mode === mode ? 'primary' : 'ghost'}
          aria-pressed={entry.mode === mode}
          onClick={() => onMode(entry.mode)}
        >
          {entry.label}
        </Button>
      ))}
    </div>
  );
}

/**
 * Returns 'Action n of m' or '(n of m)'; 0 of 0 for a hand without actions. m counts the actions or rounds of the log; steps after
 * the last one keep its number.
 */
export function stepLabel({ mode, step, entries }: Pick<TableState, 'mode' | 'step' | 'entries'>): string {
  const at = Math.min(step + 1, entries);
  return mode === 'action' ? `Action ${at} of ${entries}` : `(${at} of ${entries})`;
}

/** Names a step after the last action: the street that is dealt, 'Bet returned', or the pot. */
function stageName(stage: Stage | null): string {
  if (stage === null) return '';
  if (stage.kind === 'deal') return roundName(stage.round);
  if (stage.kind === 'return') return 'Bet returned';
  return stage.award.name === '' ? 'Pot' : stage.award.name.replace(/^./, (letter) => letter.toUpperCase());
}

function StreetJumps({ game, state, onStep }: { game: Game; state: TableState; onStep: (step: number) => void }) {
  const streets = streetSteps(game, state.mode);
  if (streets.length < 2) return null;
  return (
    <nav className="replay-streets" aria-label="Streets">
      {streets.map(({ round, step }) => (
        <button
          key={round}
          type="button"
          className="replay-street"
          aria-current={round === state.round ? 'step' : undefined}
          onClick={() => onStep(step)}
        >
          {roundName(round)}
        </button>
      ))}
    </nav>
  );
}

/** Shows the buttons for steps, streets and autoplay, and the scrubber. */
export function ReplayControls({ replay }: { replay: Replay }) {
  const { game, state, playing, stepTo } = replay;
  const last = Math.max(0, state.steps - 1);
  const stage = stageName(state.stage);
  const { speed: chosen } = usePreferences();
  return (
    <div className="replay-controls">
      {/* On phones only, where the action bar is out of view. The page's status says the same to screen readers. */}
      <p className="replay-caption" aria-hidden="true">
        {describeMove(game, state, replay.handNames, replay.amounts.chips)}
      </p>
      <div className="replay-steps">
        <Button variant="secondary" onClick={() => stepTo(state.step - 1)} disabled={state.step <= 0}>
          Previous
        </Button>
        <span className="replay-step mono-number">
          {stepLabel(state)}
          {stage !== '' && <small className="replay-stage">{stage}</small>}
        </span>
        <Button variant="secondary" onClick={() => stepTo(state.step + 1)} disabled={state.step >= last}>
          Next
        </Button>
      </div>
      <div className="replay-auto">
        <Button small variant="secondary" onClick={replay.play} disabled={last === 0}>
          {playing ? 'Pause' : 'Play'}
        </Button>
        <label className="replay-speed">
          <span>Speed</span>
          <select
            className="field-input"
            aria-label="Speed"
            value={chosen}
            onChange={(event) => setPreferences({ speed: Number(event.target.value) })}
          >
            {SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {speed}x
              </option>
            ))}
          </select>
        </label>
      </div>
      <Scrubber
        game={game}
        state={state}
        valueText={`${stepLabel(state)}, ${stage === '' ? state.roundName : stage}`}
        onStep={stepTo}
      />
      <StreetJumps game={game} state={state} onStep={stepTo} />
    </div>
  );
}
