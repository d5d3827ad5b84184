import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import './performance.css';

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

/** A range of the x axis in hands; null for the whole axis. */
export type ZoomRange = { from: number; to: number } | null;

/** Converts a selection to whole hands within 0..hands; swaps a backward one; null if it is empty. */
export function selectRange(from: number, to: number, hands: number): ZoomRange {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  const clamp = (value: number) => Math.max(0, Math.min(hands, Math.round(value)));
  const [low, high] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
  return low === high ? null : { from: low, to: high };
}

/** Parses the input of From or To; null unless it is a whole number. */
export function parseHand(text: string): number | null {
  return /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;
}

export function rangeLabel(range: ZoomRange): string {
  return range === null ? 'FULL RANGE' : `ZOOMED: ${range.from} → ${range.to}`;
}

/** Scales the range around a hand by a factor (below 1 zooms in); null if it covers all hands. */
export function scaleRange(range: ZoomRange, factor: number, around: number, hands: number): ZoomRange {
  const { from, to } = range ?? { from: 0, to: hands };
  const width = Math.max(Math.min(4, hands), (to - from) * factor);
  if (width >= hands) return null;
  const share = to === from ? 0.5 : (Math.max(from, Math.min(to, around)) - from) / (to - from);
  const start = Math.max(0, Math.min(hands - width, around - width * share));
  return selectRange(start, start + width, hands);
}

/** Moves the range by a share of its width, within the hands. */
export function moveRange(range: ZoomRange, share: number, hands: number): ZoomRange {
  if (range === null) return null;
  const width = range.to - range.from;
  const step = Math.sign(share) * Math.max(1, Math.abs(Math.round(width * share)));
  const from = Math.max(0, Math.min(hands - width, range.from + step));
  return { from, to: from + width };
}
