import type { SeatInsight } from './analysis/analyse-hand.ts';
import { moveChip } from './descriptions.ts';
import type { CardCode, Player, Verdict } from './game.ts';
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
  /** Whether bets are being returned or all chips are paid. */
  settling: boolean;
  /** Whether the hand was shown at the end and won nothing. */
  lost: boolean;
  /** The cards of the hands that win at this step; null before. */
  winning: ReadonlySet<CardCode> | null;
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

function Markers({ blind, dealer }: Pick<Props, 'blind' | 'dealer'>) {
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
    </>
  );
}

/** Shows what the seat did last, or what it got at the end. */
function Chip({ state, settling, amounts }: Pick<Props, 'state' | 'settling' | 'amounts'>) {
  const { move, winnings, returned, won } = state;
  const chip = (kind: string, text: string) => <span className={`seat-chip seat-chip-${kind}`}>{text}</span>;
  if (winnings > 0) return chip(won ? 'won' : 'paid', `WINS ${amounts.chips(winnings)}`);
  if (returned > 0 && settling) return chip('paid', `${amounts.chips(returned)} BACK`);
  if (move !== null) return chip(move.allIn ? 'all-in' : move.kind, moveChip(move, amounts.chips));
  return state.out ? chip('out', 'OUT') : null;
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

/** Shows one seat: cards, name, stack, last action, and the hand's name and win probability on this street. */
export function Seat(props: Props) {
  const { player, state, place, blind, dealer, acting, lost, winning, showCards, insight, verdict, amounts } = props;
  const classes = [
    'seat',
    `seat-${place}`,
    acting && 'seat-acting',
    state.folded && 'seat-folded',
    lost && 'seat-lost',
    state.out && 'seat-out',
    state.won && 'seat-won',
  ];
  return (
    <li className={classes.filter(Boolean).join(' ')}>
      <div className="seat-cards">
        {player.cards.map((code, index) => (
          <PlayingCard
            // biome-ignore lint/suspicious/noArrayIndexKey: two cards in a fixed order
            key={index}
            code={code}
            hidden={!showCards}
            dim={state.folded || lost || winning?.has(code) === false}
          />
        ))}
      </div>
      <div className="seat-plate">
        <span className="seat-name">
          <PlayerName name={player.name} length={NAME_LENGTH} />
        </span>
        <span className="seat-money">
          <span className="seat-stack mono-number">{amounts.chips(state.stack)}</span>
          <Markers blind={blind} dealer={dealer} />
        </span>
        <span className="seat-marks mono-number">
          <Chip state={state} settling={props.settling} amounts={amounts} />
          {verdict && (
            <span className="seat-mark-fault" title={verdict.text}>
              ! {verdict.code}
            </span>
          )}
        </span>
        {showCards && !state.folded && insight && <Insight insight={insight} />}
      </div>
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
