import type { SeatInsight } from './analysis/analyse-hand.ts';
import type { Player, Verdict } from './game.ts';
import { PlayerName } from './player-name.tsx';
import { PlayingCard } from './playing-card.tsx';
import type { Amounts } from './preferences.ts';
import type { SeatState } from './table-state.ts';
import './seat.css';

type Props = {
  player: Player;
  state: SeatState;
  place: Place;
  blind: 'SB' | 'BB' | null;
  dealer: boolean;
  acting: boolean;
  showCards: boolean;
  insight: SeatInsight | null;
  verdict: Verdict | null;
  amounts: Amounts;
};

const NAME_LENGTH = 20;

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? '<1%' : `${Math.round(value)}%`;
}

function Markers({ state, blind, dealer, out }: Pick<Props, 'state' | 'blind' | 'dealer'> & { out: boolean }) {
  return (
    <>
      {dealer && (
        <abbr title="dealer" className="seat-blind seat-dealer">
          D
        </abbr>
      )}
      {blind && (
        <abbr title={blind === 'SB' ? 'small blind' : 'big blind'} className="seat-blind">
          {blind}
        </abbr>
      )}
      {out && <span className="seat-mark seat-mark-folded">OUT</span>}
      {state.folded && <span className="seat-mark seat-mark-folded">FOLDED</span>}
      {state.allIn && <span className="seat-mark seat-mark-all-in">ALL-IN</span>}
    </>
  );
}

function Insight({ insight }: { insight: SeatInsight }) {
  return (
    <>
      {insight.handName && <span className="seat-hand">{insight.handName}</span>}
      {insight.win !== null && (
        <span className="seat-win" style={{ '--win': `${insight.win * 100}%` } as React.CSSProperties}>
          <span className="visually-hidden">wins </span>
          {percent(insight.win)}
        </span>
      )}
    </>
  );
}

/** Shows one seat: cards, name, stack, markers, and the hand's name and win probability on this street. */
export function Seat({ player, state, place, blind, dealer, acting, showCards, insight, verdict, amounts }: Props) {
  const classes = [
    'seat',
    `seat-${place}`,
    acting && 'seat-acting',
    state.folded && 'seat-folded',
    state.won && 'seat-won',
  ];
  return (
    <li className={classes.filter(Boolean).join(' ')}>
      <div className="seat-cards">
        {player.cards.map((code, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two cards in a fixed order
          <PlayingCard key={index} code={code} hidden={!showCards} dim={state.folded} />
        ))}
      </div>
      <div className="seat-plate">
        <span className="seat-name">
          <PlayerName name={player.name} length={NAME_LENGTH} />
        </span>
        <span className="seat-stack mono-number">{amounts.chips(state.stack)}</span>
        <span className="seat-marks">
          <Markers state={state} blind={blind} dealer={dealer} out={player.startChips === 0} />
          {state.winnings > 0 && (
            <span className={state.won ? 'seat-mark seat-mark-won' : 'seat-mark'}>
              {amounts.change(state.winnings)}
            </span>
          )}
          {state.returned > 0 && <span className="seat-mark">{amounts.chips(state.returned)} back</span>}
          {verdict && (
            <span className="seat-mark seat-mark-fault" title={verdict.text}>
              ! {verdict.code}
            </span>
          )}
        </span>
        {showCards && !state.folded && insight && <Insight insight={insight} />}
      </div>
      {state.streetBet > 0 && (
        <div className="seat-bet mono-number">
          <span className="chip" aria-hidden="true" />
          <span className="visually-hidden">bet on this street: </span>
          {amounts.chips(state.streetBet)}
        </div>
      )}
    </li>
  );
}

/** The six fixed places around the table, clockwise from the top. */
export const PLACES = ['top', 'right-upper', 'right-lower', 'bottom', 'left-lower', 'left-upper'] as const;

type Place = (typeof PLACES)[number];

// Fewer than six players are spread evenly over the same places; the order stays clockwise.
const TAKEN: Record<number, readonly number[]> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [1, 2, 4, 5],
  5: [0, 1, 2, 4, 5],
};

/** Returns the place of a seat at a table of 2 to 6 players. */
export function placeOf(seat: number, players: number): Place {
  return PLACES[TAKEN[players]?.[seat] ?? seat] ?? 'top';
}
