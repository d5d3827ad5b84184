import type { StreetInsight } from './analysis/analyse-hand.ts';
import { situationKey } from './analysis/situations.ts';
import type { Game } from './game.ts';
import { statesOf } from './replay-state.ts';
import type { TableState } from './table-state.ts';

const WIDTH = 300;
const HEIGHT = 90;
/** Each seat has a colour and a line style, so that colour is not the only difference. */
const DASHES = ['', '6 3', '2 3', '9 3 2 3', '4 4', '1 4'];

/** Returns each seat's share of the pot at every step: null after a fold and where the share is unknown. */
export function equitiesOf(
  game: Game,
  mode: TableState['mode'],
  insights: ReadonlyMap<string, StreetInsight>,
): (number | null)[][] {
  const steps = statesOf(game, mode).map((state) => insights.get(situationKey(game, state)));
  return game.players.map((_, seat) => steps.map((insight) => insight?.seats[seat]?.equity ?? null));
}

function pathOf(equities: readonly (number | null)[]): string {
  const last = Math.max(1, equities.length - 1);
  let drawing = false;
  return equities
    .map((equity, step) => {
      if (equity === null) {
        drawing = false;
        return '';
      }
      const [x, y] = [(step / last) * WIDTH, (1 - equity) * HEIGHT].map((value) => value.toFixed(1));
      const command = drawing ? `H${x}V${y}` : `M${x} ${y}`;
      drawing = true;
      return command;
    })
    .join('');
}

/** Draws a sample of the seat's line, for the legend. */
export function EquityKey({ seat }: { seat: number }) {
  return (
    <svg className="equity-key" viewBox="0 0 18 4" aria-hidden="true">
      <path d="M0 2H18" className={`equity-seat-${seat + 1}`} strokeDasharray={DASHES[seat]} />
    </svg>
  );
}

type Props = { game: Game; state: TableState; insights: ReadonlyMap<string, StreetInsight> };

/** Draws each player's share of the pot over the steps, with the current step marked. */
export function EquityLine({ game, state, insights }: Props) {
  const lines = equitiesOf(game, state.mode, insights);
  if (state.steps < 2 || lines.every((line) => line.every((equity) => equity === null))) return null;
  const at = (state.step / (state.steps - 1)) * WIDTH;
  return (
    <svg
      className="equity-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Chances over the steps of the hand, from 0 to 100 percent. The table below has the values of this step."
    >
      <path d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} className="equity-grid" />
      <path d={`M${at.toFixed(1)} 0V${HEIGHT}`} className="equity-now" />
      {lines.map((line, seat) => (
        <path
          key={game.players[seat]?.pid ?? seat}
          d={pathOf(line)}
          className={`equity-seat-${seat + 1}`}
          strokeDasharray={DASHES[seat]}
        />
      ))}
    </svg>
  );
}
