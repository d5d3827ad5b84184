import { useId } from 'react';
import './ladder.css';

type Point = { x: number; value: number; low: number; high: number };
type Props = {
  /** What the drawing shows, for screen readers. */
  title: string;
  /** Each with its own band; the label stands below its first point. */
  lines: { label: string; points: Point[] }[];
  /** Dashed lines beside the one at 0. */
  marks?: readonly number[];
};

const WIDTH = 800;
const HEIGHT = 220;
const MARGIN = 16;

/** Draws the course of an estimate with its interval. */
export function IntervalCourse({ title, lines, marks = [] }: Props) {
  const id = useId();
  const all = lines.flatMap(({ points }) => points);
  const [first, last] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
  const least = Math.min(...all.map(({ low }) => low));
  const most = Math.max(...all.map(({ high }) => high));
  const across = (x: number) => (MARGIN + ((WIDTH - 2 * MARGIN) * (x - first)) / Math.max(1, last - first)).toFixed(1);
  const up = (value: number) =>
    (HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - least)) / Math.max(1, most - least)).toFixed(1);
  const pathOf = (points: readonly (readonly [number, number])[]) =>
    points.map(([x, value]) => `${across(x)},${up(value)}`).join(' ');
  const isShown = (value: number) => least < value && most > value;
  return (
    <svg className="rating-course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {[0, ...marks].filter(isShown).map((value) => (
        <line
          key={value}
          className={value === 0 ? 'interval-zero' : 'interval-zero interval-mark'}
          x1="0"
          x2={WIDTH}
          y1={up(value)}
          y2={up(value)}
        />
      ))}
      {lines.map(({ label, points }) => (
        <g key={label}>
          <polygon
            className="rating-band"
            points={pathOf([
              ...points.map(({ x, high }) => [x, high] as const),
              ...points.map(({ x, low }) => [x, low] as const).toReversed(),
            ])}
          />
          <polyline className="rating-line" points={pathOf(points.map(({ x, value }) => [x, value]))} />
          <text x={across(points[0]?.x ?? 0)} y={HEIGHT - 2}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}
