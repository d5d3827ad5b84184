import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../components/button.tsx';
import { logFailure } from '../lib/log.ts';
import type { InterestingHand } from './interesting-hands.ts';

const CARD_STEP_PX = 516;
const SHOWN_REASONS = 2;

type Props = { hands: readonly InterestingHand[]; gameOf: (iteration: number) => string | null };

function CardBody({ hand }: { hand: InterestingHand }) {
  const more = hand.reasons.length - SHOWN_REASONS;
  return (
    <>
      <span className="interesting-head">
        <span className="interesting-hand">Hand #{hand.iteration}</span>
        <span className="interesting-score mono-number">Significance {hand.totalSignificance.toFixed(2)}</span>
      </span>
      {hand.reasons.slice(0, SHOWN_REASONS).map((reason) => (
        <span key={`${reason.reason}:${reason.description}`} className="interesting-reason">
          <strong>{reason.reason}</strong> {reason.description}
        </span>
      ))}
      {more > 0 && <span className="muted">+{more} more events</span>}
    </>
  );
}

/** Shows a scrollable list of cards; a click opens the hand's replay. */
export function InterestingList({ hands, gameOf }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  if (hands.length === 0) {
    return (
      <section aria-label="Interesting Hands">
        <h3 className="performance-heading">Interesting Hands</h3>
        <p className="interesting-none muted">No hand stands out so far.</p>
      </section>
    );
  }
  const stepPx = () => Math.min(CARD_STEP_PX, list.current?.clientWidth ?? CARD_STEP_PX);
  const scrollTo = (index: number) => {
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current?.scrollTo({ left: index * stepPx(), behavior: reducedMotion ? 'auto' : 'smooth' });
  };
  const atEnd = () => {
    const element = list.current;
    return element !== null && element.scrollLeft >= element.scrollWidth - element.clientWidth - 2;
  };
  return (
    <section aria-label="Interesting Hands">
      <div className="interesting-title">
        <h3 className="performance-heading">Interesting Hands</h3>
        <div className="cluster">
          <Button
            small
            iconOnly
            variant="ghost"
            aria-label="Previous interesting hands"
            disabled={at === 0}
            onClick={() => scrollTo(at - 1)}
          >
            ‹
          </Button>
          <Button
            small
            iconOnly
            variant="ghost"
            aria-label="Next interesting hands"
            disabled={at >= hands.length - 1}
            onClick={() => scrollTo(at + 1)}
          >
            ›
          </Button>
        </div>
      </div>
      <ul
        className="interesting"
        ref={list}
        onScroll={(event) => setAt(atEnd() ? hands.length - 1 : Math.round(event.currentTarget.scrollLeft / stepPx()))}
      >
        {hands.map((hand) => {
          const game = gameOf(hand.iteration);
          return (
            <li key={hand.iteration}>
              {game === null ? (
                <button
                  type="button"
                  className="interesting-card"
                  title="This hand has no recording"
                  onClick={() => logFailure(`Hand ${hand.iteration} has no recorded game`)}
                >
                  <CardBody hand={hand} />
                </button>
              ) : (
                <Link className="interesting-card" to={`/replay/${game}`}>
                  <CardBody hand={hand} />
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      <div className="interesting-dots">
        {hands.map((hand, index) => (
          <button
            key={hand.iteration}
            type="button"
            aria-label={`Show interesting hand ${index + 1} of ${hands.length}`}
            aria-current={index === at ? 'true' : undefined}
            onClick={() => scrollTo(index)}
          />
        ))}
      </div>
    </section>
  );
}
