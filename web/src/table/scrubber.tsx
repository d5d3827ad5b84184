import { type Game, roundName } from './game.ts';
import { statesOf, streetSteps } from './replay-state.ts';
import type { ReplayMode, TableState } from './table-state.ts';

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
export function Scrubber({ game, state, valueText, onStep }: Props) {
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
