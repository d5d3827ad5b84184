import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { parseHand, rangeLabel, selectRange, type ZoomRange } from './zoom-range.ts';

type Props = { range: ZoomRange; hands: number; onRange: (range: ZoomRange) => void };

function HandInput({ label, value, onHand }: { label: string; value: number; onHand: (hand: number) => void }) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  return (
    <label className="zoom-input">
      {label}
      <input
        className="field-input"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setText(String(value))}
        onKeyDown={(event) => {
          const hand = event.key === 'Enter' ? parseHand(text) : null;
          if (hand !== null) onHand(hand);
        }}
        onInput={(event) => {
          const hand = parseHand(event.currentTarget.value);
          if (hand !== null) onHand(hand);
        }}
      />
    </label>
  );
}

/** Shows the inputs From and To (other text than whole numbers is ignored), the reset button and the current range. */
export function ZoomBar({ range, hands, onRange }: Props) {
  const { from, to } = range ?? { from: 0, to: hands };
  const choose = (low: number, high: number) => {
    // An empty or backward range is ignored: the user is still typing.
    const next = low < high ? selectRange(low, high, hands) : null;
    if (next !== null) onRange(next.from === 0 && next.to === hands ? null : next);
  };
  return (
    <div className="zoom-bar">
      <HandInput label="From" value={from} onHand={(hand) => choose(hand, to)} />
      <HandInput label="To" value={to} onHand={(hand) => choose(from, hand)} />
      <Button small variant="ghost" disabled={range === null} onClick={() => onRange(null)}>
        RESET ZOOM
      </Button>
      <p className="zoom-label" role="status">
        {rangeLabel(range)}
      </p>
    </div>
  );
}
