import { useRef, useState } from 'react';
import { Name } from '../components/name.tsx';
import { deltaClass } from '../lib/format.ts';
import { formatChange } from '../table/chips.ts';
import { LineSample } from './chart.tsx';
import { MARGIN } from './figure.ts';
import type { InterestingHand } from './interesting-hands.ts';
import { type SampledSeries, sampleOfHand } from './series.ts';
import { moveRange, scaleRange, type ZoomRange } from './zoom-bar.tsx';

type Props = {
  lines: readonly SampledSeries[];
  hidden: ReadonlySet<number>;
  range: ZoomRange;
  hands: number;
  sample: number;
  interesting: readonly InterestingHand[];
  onRange: (range: ZoomRange) => void;
  children: React.ReactNode;
};

function nearestPoint(hands: readonly number[], hand: number): number {
  let best = 0;
  for (const [point, at] of hands.entries())
    if (Math.abs(at - hand) < Math.abs((hands[best] ?? 0) - hand)) best = point;
  return best;
}

function valuesAt({ lines, hidden }: Pick<Props, 'lines' | 'hidden'>, point: number) {
  return lines
    .map((line, index) => ({ index, name: line.name, value: line.values[point] ?? line.values.at(-1) ?? 0 }))
    .filter(({ index }) => !hidden.has(index))
    .sort((a, b) => b.value - a.value);
}

type Step = { point: number } | { range: ZoomRange } | null;

function stepOf(key: string, point: number, last: number, { range, hands, lines }: Props): Step {
  const around = lines[0]?.hands[point] ?? 0;
  switch (key) {
    case 'ArrowLeft':
      return { point: Math.max(0, point - 1) };
    case 'ArrowRight':
      return { point: Math.min(last, point + 1) };
    case 'Home':
      return { point: 0 };
    case 'End':
      return { point: last };
    case 'PageUp':
      return { range: moveRange(range, -0.5, hands) };
    case 'PageDown':
      return { range: moveRange(range, 0.5, hands) };
    case '+':
    case '=':
      return { range: scaleRange(range, 0.5, around, hands) };
    case '-':
      return { range: scaleRange(range, 2, around, hands) };
    case 'Escape':
    case '0':
      return { range: null };
    default:
      return null;
  }
}

/**
 * Draws the cursor over the graph: it follows the pointer, and the arrow keys when focused (plus and minus zoom, Page Up and Page Down
 * move, Escape resets the zoom). Its values are shown in a tooltip and in the slider's aria-valuetext.
 */
export function Cursor(props: Props) {
  const { lines, range, hands, sample, interesting, onRange, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<number | null>(null);
  const samples = lines[0]?.hands ?? [0];
  const last = samples.length - 1;
  const [from, to] = range === null ? [0, Math.max(1, hands)] : [range.from, range.to];
  const at = Math.min(point ?? last, last);
  const hand = samples[at] ?? 0;
  const share = (hand - from) / (to - from);
  const values = valuesAt(props, at);
  const tagged = interesting.some(({ iteration }) => iteration > 0 && sampleOfHand(iteration, sample) === at);
  const text = `Sample ${at}, hand ${hand}${tagged ? ', Interesting Game' : ''}: ${values.map(({ name, value }) => `${name} ${formatChange(value)}`).join(', ')}`;

  const trackPointer = (event: React.PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined) return;
    const across = (event.clientX - bounds.left - MARGIN.left) / (bounds.width - MARGIN.left - MARGIN.right);
    if (across < -0.02 || across > 1.02) setPoint(null);
    else setPoint(nearestPoint(samples, from + across * (to - from)));
  };

  return (
    <div
      ref={box}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label="Graph cursor: arrow keys move, plus and minus zoom, Escape shows the full range"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={text}
      onPointerMove={trackPointer}
      onPointerDown={trackPointer}
      onPointerLeave={() => setPoint(null)}
      onFocus={(event) => event.target.matches(':focus-visible') && setPoint(at)}
      onBlur={() => setPoint(null)}
      onKeyDown={(event) => {
        const step = event.ctrlKey || event.metaKey || event.altKey ? null : stepOf(event.key, at, last, props);
        if (step === null) return;
        event.preventDefault();
        if ('point' in step) setPoint(step.point);
        else onRange(step.range);
      }}
    >
      {children}
      {point !== null && share >= 0 && share <= 1 && (
        <div
          className="chart-cursor"
          style={
            { '--share': share, '--left': `${MARGIN.left}px`, '--right': `${MARGIN.right}px` } as React.CSSProperties
          }
          aria-hidden="true"
        >
          <div className={share > 0.5 ? 'chart-tooltip chart-tooltip-left' : 'chart-tooltip'}>
            <p className="chart-tooltip-head">
              Sample {at} <span className="muted">hand {hand}</span>
            </p>
            {tagged && <p className="chart-tag">Interesting Game</p>}
            <ul>
              {values.map(({ index, name, value }) => (
                <li key={index}>
                  <LineSample index={index} />
                  <Name name={name} />
                  <span className={`mono-number ${deltaClass(value)}`}>{formatChange(value)}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
