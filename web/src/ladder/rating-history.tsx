import { useId } from 'react';
import { Panel } from '../components/page.tsx';
import { formatTime } from '../lib/format.ts';
import type { LadderHistory } from '../lib/types.ts';
import { formatRating, rankText } from './figures.tsx';
import { useLadderHistory } from './own-ladder.tsx';

/** Shows the rating of a player over time, with a mark for each version. Nothing for one without a rating. */
export function RatingHistory({ username }: { username: string }) {
  const { data } = useLadderHistory(username);
  if (!data?.versions.some(({ points }) => points.length > 1)) return null;
  return (
    <Panel title="Rating on the ladder">
      <Course history={data} />
      <p className="muted">
        {data.entry
          ? `Rank ${rankText(data.entry)}, ${formatRating(data.entry.rating)} chips per 100 hands (${formatRating(data.entry.low)} to ${formatRating(data.entry.high)}).`
          : 'This bot does not play on the ladder now.'}
      </p>
    </Panel>
  );
}

const WIDTH = 800;
const HEIGHT = 220;
const MARGIN = 16;

function Course({ history }: { history: LadderHistory }) {
  const title = useId();
  const versions = history.versions.filter(({ points }) => points.length > 0).toReversed();
  const all = versions.flatMap(({ points }) => points);
  const times = all.map(({ time }) => Date.parse(time));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const least = Math.min(...all.map(({ low }) => low));
  const most = Math.max(...all.map(({ high }) => high));
  const x = (time: string) =>
    (MARGIN + ((WIDTH - 2 * MARGIN) * (Date.parse(time) - first)) / Math.max(1, last - first)).toFixed(1);
  const y = (value: number) =>
    (HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - least)) / Math.max(1, most - least)).toFixed(1);
  const pathOf = (points: readonly (readonly [string, number])[]) =>
    points.map(([time, value]) => `${x(time)},${y(value)}`).join(' ');
  return (
    <svg className="rating-course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={title}>
      <title id={title}>
        Rating of {history.username}: {formatRating(all.at(0)?.rating ?? 0)} on {formatTime(all.at(0)?.time)},{' '}
        {formatRating(all.at(-1)?.rating ?? 0)} on {formatTime(all.at(-1)?.time)}
      </title>
      {least < 0 && most > 0 && <line className="interval-zero" x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} />}
      {versions.map(({ version, points }) => (
        <g key={version}>
          <polygon
            className="rating-band"
            points={pathOf([
              ...points.map(({ time, high }) => [time, high] as const),
              ...points.map(({ time, low }) => [time, low] as const).toReversed(),
            ])}
          />
          <polyline className="rating-line" points={pathOf(points.map(({ time, rating }) => [time, rating]))} />
          <text x={x(points[0]?.time ?? '')} y={HEIGHT - 2}>
            v{version}
          </text>
        </g>
      ))}
    </svg>
  );
}
