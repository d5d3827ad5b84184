import { formatDelta } from '../lib/format.ts';
import './ladder.css';
import type { LadderEntry } from '../lib/types.ts';

/** Formats chips per 100 hands with their sign. */
export const formatRating = (value: number): string => formatDelta(Math.round(value));

/** Returns the ranks that the intervals leave a player, such as '2–4'. */
export const rankText = ({ rank, best_rank, worst_rank }: LadderEntry): string =>
  best_rank === worst_rank ? String(rank) : `${best_rank}–${worst_rank}`;

type Interval = Pick<LadderEntry, 'rating' | 'low' | 'high'>;

/** Returns the range of the intervals of a list, for bars that share a scale. */
export function scaleOf(entries: readonly Interval[]): { from: number; to: number } {
  const from = Math.min(0, ...entries.map(({ low }) => low));
  const to = Math.max(0, ...entries.map(({ high }) => high));
  return { from, to: to > from ? to : from + 1 };
}

/** Draws a rating as a point on its 95 % interval; the line marks 0, the mean of the field. */
export function IntervalBar({ rating, low, high, from, to }: Interval & { from: number; to: number }) {
  const at = (value: number) => `${(100 * (value - from)) / (to - from)}%`;
  return (
    <svg
      className="interval-bar"
      role="img"
      aria-label={`95 % interval ${formatRating(low)} to ${formatRating(high)}`}
      focusable="false"
    >
      <line className="interval-zero" x1={at(0)} x2={at(0)} y1="0" y2="100%" />
      <line className="interval-range" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
      <circle className="interval-point" cx={at(rating)} cy="50%" r="4" />
    </svg>
  );
}

const WIDTH = 96;
const HEIGHT = 24;

/** Draws the course of the last ratings. Says nothing that the change beside it does not. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const points = values.map((value, index) => {
    const x = 2 + ((WIDTH - 4) * index) / (values.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - 2 - ((HEIGHT - 4) * (value - least)) / range).toFixed(1)}`;
  });
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
