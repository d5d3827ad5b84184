import type { StreetInsight } from './analysis/analyse-hand.ts';
import { paymentsAt } from './descriptions.ts';
import type { Game, Verdict } from './game.ts';
import { CardSlot, PlayingCard } from './playing-card.tsx';
import { useAmounts, usePreferences } from './preferences.ts';
import { placeOf, Seat } from './seat.tsx';
import { newSeat, type TableState } from './table-state.ts';
import './poker-table.css';

const EMPTY_SEAT = newSeat(0);
const BOARD_SLOTS = [0, 1, 2, 3, 4];

type Props = { game: Game; state: TableState; showCards: boolean; insight: StreetInsight | null; verdicts: Verdict[] };

function blindOf(game: Game, seat: number): 'SB' | 'BB' | null {
  if (seat === game.smallBlindSeat) return 'SB';
  return seat === game.bigBlindSeat ? 'BB' : null;
}

/** Shows the table at one step: up to six seats at fixed places, the board and the pots in the centre. */
export function PokerTable({ game, state, showCards, insight, verdicts }: Props) {
  const amounts = useAmounts(game);
  const { fourColourDeck } = usePreferences();
  const payments = paymentsAt(game, state, insight?.seats.map((seat) => seat?.handName) ?? [], amounts.chips);
  return (
    <section className={fourColourDeck ? 'felt four-colour-deck' : 'felt'} aria-label={`Table, ${state.roundName}`}>
      <div className="felt-floor">
        <div className="felt-surface" aria-hidden="true" />
        <div className="felt-centre">
          <span className="felt-round">{state.roundName}</span>
          {/* biome-ignore lint/a11y/useSemanticElements: a set of cards is not a form's fieldset */}
          <div className="felt-board" role="group" aria-label={`Community cards: ${state.board.length} of 5`}>
            {BOARD_SLOTS.map((slot) => {
              const code = state.board[slot];
              return code === undefined ? <CardSlot key={slot} /> : <PlayingCard key={slot} code={code} />;
            })}
          </div>
          <dl className="felt-pots">
            <div>
              <dt>ROUND POT</dt>
              <dd className="mono-number">{amounts.chips(state.roundPot)}</dd>
            </div>
            <div className="felt-total">
              <dt>TOTAL POT</dt>
              <dd className="mono-number">{amounts.chips(state.totalPot)}</dd>
            </div>
          </dl>
        </div>
        <ul className="felt-seats" aria-label="Players">
          {game.players.map((player, seat) => (
            <Seat
              key={player.pid}
              player={player}
              state={state.seats[seat] ?? EMPTY_SEAT}
              place={placeOf(seat, game.players.length)}
              blind={blindOf(game, seat)}
              dealer={seat === game.buttonSeat}
              acting={state.action?.seat === seat}
              showCards={showCards}
              insight={insight?.seats[seat] ?? null}
              verdict={verdicts.find((verdict) => verdict.seat === seat) ?? null}
              amounts={amounts}
            />
          ))}
        </ul>
      </div>
      {payments.length > 0 && (
        <ul className="felt-payments" aria-label="Paid">
          {payments.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
