import { useMemo, useState } from 'react';
import { formatChips } from '../../table/chips.ts';
import type { HandEntry } from './hand-query.ts';

const WIDTH = 500;
const HEIGHT = 48;

/** Returns an SVG path of vertical bars: the largest pot of each of at most `WIDTH` groups of hands, on a scale of square roots. */
export function barsOf(pots: readonly number[], largest: number, count: number): string {
  const groups = Math.min(WIDTH, count);
  const tops = new Map<number, number>();
  for (const [index, pot] of pots.entries()) {
    const group = Math.floor((index * groups) / count);
    tops.set(group, Math.max(tops.get(group) ?? 0, pot));
  }
  return [...tops]
    .filter(([, pot]) => pot > 0)
    .map(([group, pot]) => {
      const x = ((group + 0.5) * WIDTH) / groups;
      const height = HEIGHT * Math.sqrt(pot / largest);
      return `M${x.toFixed(1)} ${HEIGHT}V${(HEIGHT - Math.max(1, height)).toFixed(1)}`;
    })
    .join('');
}

type Props = { hands: readonly HandEntry[]; onJump: (number: number) => void };

/** Draws the pots of a whole match. A slider over them, for pointer and keyboard, jumps to a hand. */
export function HandMinimap({ hands, onJump }: Props) {
  const [at, setAt] = useState(1);
  const { all, allIns } = useMemo(() => {
    const pots = hands.map(({ facts }) => facts?.pot ?? 0);
    const largest = pots.reduce((max, pot) => Math.max(max, pot), 1);
    const marked = hands.map(({ facts }) => (facts?.allIn ? facts.pot : 0));
    return { all: barsOf(pots, largest, hands.length), allIns: barsOf(marked, largest, hands.length) };
  }, [hands]);
  const shown = Math.min(at, hands.length);
  const facts = hands[shown - 1]?.facts ?? null;
  const pot = facts === null ? '' : `, pot ${formatChips(facts.pot)}${facts.allIn ? ', all-in' : ''}`;
  const width = WIDTH / Math.min(WIDTH, hands.length);
  return (
    <div className="hand-minimap">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" strokeWidth={width * 0.8}>
        <path className="minimap-pots" d={all} />
        <path className="minimap-all-ins" d={allIns} />
      </svg>
      <input
        type="range"
        min={1}
        max={hands.length}
        value={shown}
        aria-label="Jump to a hand: pots of all hands"
        aria-valuetext={`Hand ${shown}${pot}`}
        onChange={(event) => {
          const number = Number(event.target.value);
          setAt(number);
          onJump(number);
        }}
      />
      <p className="minimap-legend">
        <span>
          Hand {shown}
          {pot}
        </span>
        <span className="minimap-key">Height: pot. Orange: a player was all-in.</span>
      </p>
    </div>
  );
}
