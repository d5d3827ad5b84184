import type { StreetInsight } from './analysis/analyse-hand.ts';
import { describeStep } from './descriptions.ts';
import type { CardCode, Game, Verdict } from './game.ts';
import { CardSlot, PlayingCard } from './playing-card.tsx';
import { useAmounts, usePreferences } from './preferences.ts';
import { placeOf, Seat } from './seat.tsx';
import { isLive, isShowdown, newSeat, type TableState } from './table-state.ts';
import './poker-table.css';

const EMPTY_SEAT = newSeat(0);
const BOARD_SLOTS = [0, 1, 2, 3, 4];

type Props = {
  game: Game;
  state: TableState;
  showCards: boolean;
  insight: StreetInsight | null;
  verdicts: Verdict[];
  /** Screen readers announce the line of each step. */
  announce?: boolean;
};

function blindOf(game: Game, seat: number): 'SB' | 'BB' | null {
  if (seat === game.smallBlindSeat) return 'SB';
  return seat === game.bigBlindSeat ? 'BB' : null;
}

/** Returns the cards of the hands that win the pots of this step; null if there is no showdown here or they are not known. */
function winningCards(state: TableState, insight: StreetInsight | null): ReadonlySet<CardCode> | null {
  const { stage } = state;
  const award = stage?.kind === 'award' ? stage.award.shares.map(({ seat }) => seat) : null;
  if (!isShowdown(state) || (award === null && !state.over)) return null;
  const winners = award ?? state.seats.flatMap(({ winnings }, seat) => (winnings > 0 ? [seat] : []));
  const cards = winners.flatMap((seat) => insight?.seats[seat]?.best ?? []);
  return cards.length === 0 ? null : new Set(cards);
}

/** Returns whether a seat's hand was shown at the end and won nothing. */
function lostSeat(state: TableState, position: number): boolean {
  const seat = state.seats[position];
  return state.over && isShowdown(state) && seat !== undefined && isLive(seat) && seat.winnings === 0;
}

/** Shows the table at one step: up to six seats at fixed places, board and pots in the centre, and the step in words below. */
export function PokerTable({ game, state, showCards, insight, verdicts, announce = false }: Props) {
  const amounts = useAmounts(game);
  const { fourColourDeck } = usePreferences();
  const winning = showCards ? winningCards(state, insight) : null;
  const handNames = insight?.seats.map((seat) => seat?.handName) ?? [];
  const settled = state.over && !isShowdown(state);
  return (
    <section className={fourColourDeck ? 'felt four-colour-deck' : 'felt'} aria-label={`Table, ${state.roundName}`}>
      <div className="felt-floor">
        <div className="felt-places">
          <div className="felt-surface" aria-hidden="true" />
          <div className="felt-centre">
            <span className="felt-round">{state.roundName}</span>
            {/* biome-ignore lint/a11y/useSemanticElements: a set of cards is not a form's fieldset */}
            <div className="felt-board" role="group" aria-label={`Community cards: ${state.board.length} of 5`}>
              {BOARD_SLOTS.map((slot) => {
                const code = state.board[slot];
                if (code === undefined) return <CardSlot key={slot} />;
                return <PlayingCard key={slot} code={code} dim={winning?.has(code) === false} />;
              })}
            </div>
            {/* Paid pots leave the table; their place stays. */}
            <dl className={state.potLeft > 0 ? 'felt-pots' : 'felt-pots felt-paid'}>
              <div>
                <dt>ROUND POT</dt>
                <dd className="mono-number">{amounts.chips(state.roundPot)}</dd>
              </div>
              <div className="felt-total">
                <dt>TOTAL POT</dt>
                <dd className="mono-number">{amounts.chips(state.potLeft)}</dd>
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
                settling={state.over || state.stage?.kind === 'return'}
                lost={lostSeat(state, seat)}
                winning={winning}
                showCards={showCards}
                insight={settled ? null : (insight?.seats[seat] ?? null)}
                verdict={verdicts.find((verdict) => verdict.seat === seat) ?? null}
                amounts={amounts}
              />
            ))}
          </ul>
        </div>
      </div>
      <p className="felt-line" {...(announce && { role: 'status' })}>
        <bdi>{describeStep(game, state, showCards ? handNames : [], amounts.chips)}</bdi>
      </p>
    </section>
  );
}
