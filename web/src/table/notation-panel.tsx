import { useEffect, useMemo, useRef } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { describeMove, describePayments, describeStage, type FormatAmount, type HandNames } from './descriptions.ts';
import { boardCards, type Game, roundName } from './game.ts';
import { useAmounts } from './preferences.ts';
import type { TableState } from './table-state.ts';
import './notation-panel.css';
import { formatChips, formatSigned } from './chips.ts';
import { handResults, statesOf } from './replay-state.ts';

type Props = {
  game: Game;
  state: TableState;
  /** Names of the hands at showdown. */
  handNames: HandNames;
  showCards: boolean;
  /** Called with a step of the action mode. */
  onStep: (step: number) => void;
};

/** Shows the hand as text. A click on a line goes to its step; the line of the current step stays in view. */
export function NotationPanel({ game, state, handNames, showCards, onStep }: Props) {
  const amounts = useAmounts(game);
  const names = handNames.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` stands for the values of handNames, which is a new array each time
  const lines = useMemo(
    () => notationOf(game, { handNames, chips: amounts.chips, showCards }),
    [game, names, amounts, showCards],
  );
  const list = useRef<HTMLOListElement>(null);
  const current = state.mode === 'action' ? state.step : -1;
  useEffect(() => {
    const box = list.current;
    const line = box?.querySelector<HTMLElement>(`[data-step="${current}"]`);
    if (!box || !line) return;
    // Scrolls the list only: scrollIntoView would also scroll the page.
    const top = line.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + line.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + line.offsetHeight - box.clientHeight;
  }, [current]);
  return (
    <section className="replay-panel" aria-label="HAND HISTORY">
      <div className="notation-head cluster spread">
        <h2 className="replay-panel-title">HAND HISTORY</h2>
        <CopyButton text={lines.map(({ text }) => text).join('\n')} label="Copy text" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard */}
      <ol className="notation" ref={list} tabIndex={0} aria-label="Lines of the hand">
        {lines.map(({ text, step, heading }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line's position is its identity, texts repeat
          <li key={index} className={heading ? 'notation-heading' : undefined}>
            {step === null ? (
              <bdi>{text}</bdi>
            ) : (
              <button
                type="button"
                data-step={heading ? undefined : step}
                aria-current={step === current && !heading ? 'step' : undefined}
                onClick={() => onStep(step)}
              >
                <bdi>{text}</bdi>
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A line of a hand's notation. `step` is the step of the action mode that the line describes; null for headings. */
export type NotationLine = { text: string; step: number | null; heading: boolean };

const cardsOf = (codes: readonly string[]) => `[${codes.join(' ')}]`;

function streetHeading(game: Game, round: number): string {
  const board = game.board.slice(0, boardCards(round));
  const old = game.board.slice(0, boardCards(round - 1));
  const fresh = board.slice(old.length);
  const parts = old.length > 0 && fresh.length > 0 ? [cardsOf(old), cardsOf(fresh)] : [cardsOf(board)];
  return `*** ${roundName(round).toUpperCase()} *** ${parts.join(' ')}`;
}

function opening(game: Game, chips: FormatAmount): NotationLine[] {
  const blinds = game.blinds ? ` (${formatChips(game.blinds.small)}/${formatChips(game.blinds.big)})` : '';
  const seats = game.players.map((player, seat) => {
    const button = seat === game.buttonSeat ? ' (button)' : '';
    return `Seat ${seat + 1}: ${player.name}, ${chips(player.startChips)}${button}`;
  });
  return [`No-Limit Hold'em${blinds}`, ...seats].map((text) => ({ text, step: null, heading: false }));
}

function holeCards(game: Game): NotationLine[] {
  const dealt = game.players.filter((player) => player.cards.length > 0);
  return [
    { text: '*** HOLE CARDS ***', step: null, heading: true },
    ...dealt.map((player) => ({ text: `${player.name}: ${cardsOf(player.cards)}`, step: null, heading: false })),
  ];
}

/** Returns a hand as text in the order of play, in the form of poker sites' hand histories. `handNames` are those of the showdown. */
export function notationOf(
  game: Game,
  options: { handNames?: HandNames; chips?: FormatAmount; showCards?: boolean } = {},
): NotationLine[] {
  const { handNames = [], chips = formatChips, showCards = true } = options;
  const states = statesOf(game, 'action');
  const lines = opening(game, chips);
  const add = (text: string, step: number | null, heading = false) => lines.push({ text, step, heading });
  let cardsShown = !showCards;
  for (const [step, state] of states.entries()) {
    const { action, stage } = state;
    const before = states[step - 1];
    if (before !== undefined && before.round !== state.round) add(streetHeading(game, state.round), step, true);
    if (!cardsShown && action?.post !== true) {
      lines.push(...holeCards(game));
      cardsShown = true;
    }
    const move = state.seats[action?.seat ?? -1]?.move;
    if (action !== null && move) {
      const name = game.players[action.seat]?.name ?? '';
      const adjusted = action.adjusted ? ' (adjusted)' : '';
      const fault = action.verdict === null ? '' : ` (fault: ${action.verdict.code})`;
      add(`${name}: ${describeMove(move, chips)}${adjusted}${fault}`, step);
      if (state.over) for (const sentence of describePayments(game, state, handNames, chips)) add(sentence, step);
    }
    if (stage !== null && stage.kind !== 'deal') add(describeStage(game, state, stage, handNames, chips), step);
  }
  add('*** RESULT ***', states.length - 1, true);
  for (const { name, change } of handResults(game)) {
    if (change !== 0) add(`${name}: net ${formatSigned(change, chips)}`, states.length - 1);
  }
  return lines;
}
