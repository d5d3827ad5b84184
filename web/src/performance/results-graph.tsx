import { type CSSProperties, useMemo, useState } from 'react';
import { Name } from '../components/name.tsx';
import { deltaClass, formatDelta, formatNumber } from '../lib/format.ts';
import { formatChange } from '../table/chips.ts';
import { lineStyle } from './line-style.ts';
import { linePath, nearestLine, placeLabels, type ResultLine, shareFromTop, valueAxis } from './results-figure.ts';
import './results-graph.css';

// The drawing is stretched to its box; strokes keep their width.
const WIDTH = 1000;
const HEIGHT = 400;
/** Minimum distance of two labels as a share of the height: a line of text in a graph 30rem high. */
const LABEL_GAP = 0.048;

type Props = {
  /** Best player first. */
  lines: readonly ResultLine[];
  /** Numbers of matches after which the lines have a value. */
  points: readonly number[];
};

type Hovered = { line: number; point: number };

const matchCount = (matches: number) => (matches === 1 ? '1 match' : `${formatNumber(matches)} matches`);
const topStyle = (top: number): CSSProperties => ({ top: `${top * 100}%` });

/**
 * Draws cumulative winnings over matches, with the name of each player at the end of its line. A pointer or a focused name
 * highlights one line. An SVG of at most 20 lines of 300 points, so that no plotting library is loaded.
 */
export function ResultsGraph({ lines, points }: Props) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const active = hovered?.line ?? chosen;
  const axis = useMemo(() => valueAxis(lines), [lines]);
  const paths = useMemo(() => lines.map((line) => linePath(line, points, axis, WIDTH, HEIGHT)), [lines, points, axis]);
  const ends = lines.map((line) => shareFromTop(axis, line.values.at(-1) ?? 0));
  const labels = placeLabels(ends, LABEL_GAP);
  const matches = points.at(-1) ?? 0;

  const trackPointer = (event: React.PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const point = Math.round(share * (points.length - 1));
    setHovered({ point, line: nearestLine(lines, axis, point, (event.clientY - box.top) / box.height) });
  };
  const shown = active === null ? undefined : lines[active];
  const point = hovered?.point ?? points.length - 1;
  const value = shown?.values[point] ?? 0;

  return (
    <figure
      className="results-graph"
      style={{ '--longest': Math.min(36, Math.max(10, ...lines.map(({ name }) => name.length))) } as CSSProperties}
    >
      <p className="results-readout" aria-hidden="true">
        {shown === undefined ? (
          'Cumulative winnings in dollars. Point at a line to see whose it is.'
        ) : (
          <>
            <b>{shown.name}</b> <span className={`mono-number ${deltaClass(value)}`}>{formatChange(value)}</span> after{' '}
            {formatNumber(points[point] ?? 0)} of {matchCount(matches)}
          </>
        )}
      </p>
      <div className="results-drawing">
        <div className="results-ticks" aria-hidden="true">
          {axis.ticks.map((tick) => (
            <span key={tick} style={topStyle(shareFromTop(axis, tick))}>
              {formatDelta(tick)}
            </span>
          ))}
        </div>
        <svg
          className="results-lines"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Cumulative winnings over ${matchCount(matches)}. ${lines
            .map((line) => `${line.name} ${formatDelta(line.values.at(-1) ?? 0)}`)
            .join(', ')}`}
          onPointerMove={trackPointer}
          onPointerDown={trackPointer}
          onPointerLeave={() => setHovered(null)}
        >
          {axis.ticks.map((tick) => (
            <path
              key={tick}
              className={tick === 0 ? 'results-zero' : 'results-rule'}
              d={`M0 ${(shareFromTop(axis, tick) * HEIGHT).toFixed(1)}H${WIDTH}`}
            />
          ))}
          {paths.map((path, index) => {
            const { token, dash } = lineStyle(index);
            return (
              <path
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have a fixed order, and names may repeat
                key={index}
                className={lineClass(index, active)}
                d={path}
                style={{ stroke: `var(${token})` }}
                strokeDasharray={dash.join(' ')}
              />
            );
          })}
        </svg>
        <ul className="results-labels">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have a fixed order, and names may repeat
            <li key={index} style={topStyle(labels[index] ?? 0)}>
              <button
                type="button"
                className={index === active ? 'results-label results-label-active' : 'results-label'}
                aria-pressed={index === chosen}
                title={line.name}
                onClick={() => setChosen(index === chosen ? null : index)}
                onPointerEnter={() => setHovered({ line: index, point: points.length - 1 })}
                onPointerLeave={() => setHovered(null)}
                onFocus={() => setHovered({ line: index, point: points.length - 1 })}
                onBlur={() => setHovered(null)}
              >
                <span
                  className="results-key"
                  style={{ background: `var(${lineStyle(index).token})` }}
                  aria-hidden="true"
                />
                <Name name={line.name} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      <figcaption className="results-axis">
        <span>0</span>
        <span>matches</span>
        <span>{formatNumber(matches)}</span>
      </figcaption>
    </figure>
  );
}

function lineClass(index: number, active: number | null): string {
  if (active === null) return 'results-line';
  return index === active ? 'results-line results-line-active' : 'results-line results-line-dim';
}
