import { useEffect, useMemo, useRef } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import type { HandNames } from './descriptions.ts';
import type { Game } from './game.ts';
import { notationOf } from './notation.ts';
import { useAmounts } from './preferences.ts';
import type { TableState } from './table-state.ts';
import './notation-panel.css';

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
