import type { ReactNode } from 'react';
import { deltaClass } from '../lib/format.ts';
import type { StreetInsight } from './analysis/analyse-hand.ts';
import { EquityKey, EquityLine } from './equity-line.tsx';
import type { Game, Verdict } from './game.ts';
import { PlayerName } from './player-name.tsx';
import { useAmounts } from './preferences.ts';
import { handResults } from './replay-state.ts';
import { isShowdown, type Payment, type TableState } from './table-state.ts';
import './panels.css';

const POT_NAME_LENGTH = 12;

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="replay-panel" aria-label={title}>
      <h2 className="replay-panel-title">{title}</h2>
      {children}
    </section>
  );
}

/** Shows stacks with their change in this hand so far, and marks the blinds. */
export function StacksPanel({ game, state }: { game: Game; state: TableState }) {
  const amounts = useAmounts(game);
  return (
    <Section title="PLAYER STACKS">
      <ul className="stack-list">
        {game.players.map((player, seat) => {
          const stack = state.seats[seat]?.stack ?? player.startChips;
          const change = stack - player.startChips;
          return (
            <li key={player.pid}>
              <span className="stack-name">
                <PlayerName name={player.name} length={20} />
                {seat === game.smallBlindSeat && (
                  <abbr title="small blind" className="seat-blind">
                    SB
                  </abbr>
                )}
                {seat === game.bigBlindSeat && (
                  <abbr title="big blind" className="seat-blind">
                    BB
                  </abbr>
                )}
              </span>
              <span className="mono-number">{amounts.chips(stack)}</span>
              <span className={`mono-number stack-change ${deltaClass(change)}`}>net {amounts.change(change)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Shows a returned bet, or the chips that a pot paid to its winners. */
function Paid({ game, payment }: { game: Game; payment: Payment }) {
  const { chips } = useAmounts(game);
  const shares = payment.kind === 'return' ? [payment] : payment.award.shares;
  const pot = payment.kind === 'award' && payment.award.name;
  return (
    <tr>
      <th scope="row">{payment.kind === 'return' ? 'RETURNED' : 'PAID'}</th>
      <td className="mono-number">{chips(shares.reduce((sum, share) => sum + share.amount, 0))}</td>
      <td>
        {pot && `${pot}, `}to{' '}
        {shares.map(({ seat, amount }, index) => (
          <span key={seat}>
            {index > 0 && ', '}
            <PlayerName name={game.players[seat]?.name ?? ''} length={POT_NAME_LENGTH} />
            {shares.length > 1 && ` ${chips(amount)}`}
          </span>
        ))}
      </td>
    </tr>
  );
}

/** Shows the pots after the current action, without a returned bet, the players who can win them, and what was paid. */
export function PotsPanel({ game, state }: { game: Game; state: TableState }) {
  const amounts = useAmounts(game);
  return (
    <Section title="POTS & ELIGIBLE PLAYERS">
      {state.pots.length === 0 ? (
        <p className="muted">No pots available at this point in the game.</p>
      ) : (
        <table className="pot-table">
          <thead>
            <tr>
              <th scope="col">Pot ID</th>
              <th scope="col">Amount</th>
              <th scope="col">Eligible Players</th>
            </tr>
          </thead>
          <tbody>
            {state.pots.map((pot) => (
              <tr key={pot.id}>
                <th scope="row">{pot.id}</th>
                <td className="mono-number">{amounts.chips(pot.amount)}</td>
                <td>
                  {pot.eligible.length === 0
                    ? 'None'
                    : pot.eligible.map((seat, index) => (
                        <span key={seat}>
                          {index > 0 && ', '}
                          <PlayerName name={game.players[seat]?.name ?? ''} length={POT_NAME_LENGTH} />
                        </span>
                      ))}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">TOTAL POT</th>
              <td className="mono-number" colSpan={2}>
                {amounts.chips(state.totalPot)}
              </td>
            </tr>
            {state.paid.map((payment, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: payments are only added
              <Paid key={index} game={game} payment={payment} />
            ))}
          </tfoot>
        </table>
      )}
    </Section>
  );
}

/** Shows each player's net result, at the last step only, and what the winners got from the pots. */
export function ResultsPanel({ game, state }: { game: Game; state: TableState }) {
  const amounts = useAmounts(game);
  const unknown = game.players.some((player) => player.finalChips === null);
  if (unknown && isShowdown(state)) {
    return (
      <Section title="GAME RESULTS">
        <p>This log does not say how the hand ended.</p>
      </Section>
    );
  }
  const results = handResults(game)
    .filter((result) => result.change !== 0)
    .sort((a, b) => b.change - a.change);
  return (
    <Section title="GAME RESULTS">
      {results.length === 0 ? (
        <p>BALANCED</p>
      ) : (
        <ul className="stack-list">
          {results.map((result) => (
            <li key={result.seat}>
              <span className="stack-name">
                <PlayerName name={result.name} length={20} />
              </span>
              <span className={`mono-number stack-outcome ${deltaClass(result.change)}`}>
                <span>
                  {result.change > 0 ? `WON ${amounts.chips(state.seats[result.seat]?.winnings ?? 0)}` : 'LOST'}
                </span>
                <span>net {amounts.change(result.change)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Shows faults of bots at this step and irregularities of the file. */
export function NotesPanel({ game, verdicts }: { game: Game; verdicts: Verdict[] }) {
  if (verdicts.length === 0 && game.warnings.length === 0) return null;
  return (
    <Section title="NOTES">
      <ul className="note-list">
        {verdicts.map((verdict) => (
          <li key={`${verdict.round}:${verdict.action}:${verdict.seat}:${verdict.code}`} className="note-verdict">
            <strong>{verdict.code}</strong>{' '}
            {verdict.seat !== null && <PlayerName name={`${game.players[verdict.seat]?.name ?? ''}: `} length={22} />}
            {verdict.text}
          </li>
        ))}
        {game.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Section>
  );
}

const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${(value * 100).toFixed(1)}%`;

/** Shows hands and win probabilities of the remaining players on the current street, and their chances over the hand. */
export function ChancesPanel({
  game,
  state,
  insights,
  insight,
  waiting,
}: {
  game: Game;
  state: TableState;
  insights: ReadonlyMap<string, StreetInsight>;
  insight: StreetInsight | null;
  waiting: boolean;
}) {
  const rows = insight?.seats.flatMap((seat, index) => (seat === null ? [] : [{ seat, index }])) ?? [];
  return (
    <Section title="HANDS & CHANCES">
      <EquityLine game={game} state={state} insights={insights} />
      {rows.length === 0 ? (
        <p className="muted">{waiting ? 'Counting boards...' : 'Not known for this hand.'}</p>
      ) : (
        <table className="pot-table">
          <thead>
            <tr>
              <th scope="col">Player</th>
              <th scope="col">Hand</th>
              <th scope="col">Win</th>
              <th scope="col">Tie</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ seat, index }) => (
              <tr key={index}>
                <th scope="row">
                  <EquityKey seat={index} />
                  <PlayerName name={game.players[index]?.name ?? ''} length={POT_NAME_LENGTH} />
                </th>
                <td>{seat.handName ?? '–'}</td>
                <td className="mono-number">{share(seat.win)}</td>
                <td className="mono-number">{share(seat.tie)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
