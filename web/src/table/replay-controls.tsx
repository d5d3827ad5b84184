import { Button } from '../components/button.tsx';
import { type Game, roundName } from './game.ts';
import { SPEEDS, setPreferences, usePreferences } from './preferences.ts';
import { statesOf, streetSteps } from './replay-state.ts';
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

/** A pot of this many big blinds is marked. */
export const BIG_POT_BIG_BLINDS = 100;

export type Mark = { step: number; kind: 'street' | 'all-in' | 'big-pot'; label: string };

const wentAllIn = (state: TableState, before: TableState | undefined): boolean =>
  state.seats.some((seat, position) => seat.allIn && before?.seats[position]?.allIn !== true);

/** Returns the marks of a hand: streets after the first, all-ins, and the first step with a pot of 100 big blinds. */
export function marksOf(game: Game, mode: ReplayMode): Mark[] {
  const states = statesOf(game, mode);
  const streets = streetSteps(game, mode)
    .slice(1)
    .map(({ round, step }): Mark => ({ step, kind: 'street', label: roundName(round) }));
  const allIns = states
    .filter((state) => wentAllIn(state, states[state.step - 1]))
    .map(({ step }): Mark => ({ step, kind: 'all-in', label: 'All-in' }));
  const threshold = (game.blinds?.big ?? 0) * BIG_POT_BIG_BLINDS;
  const big = threshold > 0 ? states.find((state) => state.totalPot >= threshold) : undefined;
  const label = `Pot of ${BIG_POT_BIG_BLINDS} big blinds`;
  return [...streets, ...allIns, ...(big ? [{ step: big.step, kind: 'big-pot' as const, label }] : [])];
}

type Props = { game: Game; state: TableState; valueText: string; onStep: (step: number) => void };

/** Shows a slider over the steps of a hand with marks above it. */
function Scrubber({ game, state, valueText, onStep }: Props) {
  const last = Math.max(0, state.steps - 1);
  const at = (step: number) => ({ '--at': last === 0 ? 0 : step / last }) as React.CSSProperties;
  const marks = marksOf(game, state.mode);
  const here = marks.filter((mark) => mark.step === state.step && mark.kind !== 'street').map((mark) => mark.label);
  return (
    <div className="scrubber">
      <div className="scrubber-marks" aria-hidden="true">
        {marks.map((mark) => (
          <span key={`${mark.kind}:${mark.step}`} className={`scrubber-mark mark-${mark.kind}`} style={at(mark.step)}>
            {mark.kind === 'street' && mark.label.charAt(0)}
          </span>
        ))}
      </div>
      <input
        className="replay-scrubber"
        type="range"
        min={1}
        max={Math.max(1, state.steps)}
        value={state.step + 1}
        disabled={last === 0}
        aria-label={state.mode === 'action' ? 'Action' : 'Round'}
        aria-valuetext={[valueText, ...here].join(', ')}
        style={{ '--done': last === 0 ? '100%' : `${(state.step / last) * 100}%` } as React.CSSProperties}
        onChange={(event) => onStep(Number(event.target.value) - 1)}
      />
    </div>
  );
}
