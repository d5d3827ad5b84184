import { lineStyle } from '../performance/line-style.ts';
import type { LiveJob } from './live-merge.ts';

const WIDTH = 300;
const HEIGHT = 100;
const MAX_POINTS = 150;

/** Returns the points of a line in the box of the chart: `values` up to hand `known`, at most 150 of them. */
function pointsOf(values: readonly number[], known: number, low: number, high: number): string {
  const step = Math.max(1, Math.ceil(known / MAX_POINTS));
  const hands = Array.from({ length: Math.floor(known / step) + 1 }, (_, index) => index * step);
  if (hands.at(-1) !== known) hands.push(known);
  return hands
    .map((hand) => {
      const value = hand === 0 ? 0 : (values[hand - 1] ?? 0);
      const y = HEIGHT * (1 - (value - low) / (high - low));
      return `${((WIDTH * hand) / Math.max(1, known)).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

/** Draws what each player won or lost up to hand `known`; the list of the standings beside it has the values. */
export function GrowingChart({ job, known }: { job: LiveJob; known: number }) {
  const lines = [...job.series.values()];
  const seen = lines.flatMap((values) => values.slice(0, known));
  const low = seen.reduce((least, value) => Math.min(least, value), -1);
  const high = seen.reduce((most, value) => Math.max(most, value), 1);
  const zero = HEIGHT * (1 - (0 - low) / (high - low));
  return (
    <svg className="growing-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line className="growing-chart-zero" x1="0" x2={WIDTH} y1={zero} y2={zero} />
      {lines.map((values, index) => {
        const { token, dash } = lineStyle(index);
        return (
          <polyline
            // biome-ignore lint/suspicious/noArrayIndexKey: seats in a fixed order
            key={index}
            points={pointsOf(values, known, low, high)}
            style={{ stroke: `var(${token})` }}
            strokeDasharray={dash.join(' ')}
          />
        );
      })}
    </svg>
  );
}
