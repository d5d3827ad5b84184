import { Panel } from '../components/page.tsx';
import { formatTime } from '../lib/format.ts';
import type { LadderHistory } from '../lib/types.ts';
import { formatRating, rankText } from './figures.tsx';
import { IntervalCourse } from './interval-course.tsx';
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

function Course({ history }: { history: LadderHistory }) {
  const versions = history.versions.filter(({ points }) => points.length > 0).toReversed();
  const all = versions.flatMap(({ points }) => points);
  const at = (index: number) => `${formatRating(all.at(index)?.rating ?? 0)} on ${formatTime(all.at(index)?.time)}`;
  const lines = versions.map(({ version, points }) => ({
    label: `v${version}`,
    points: points.map(({ time, rating, low, high }) => ({ x: Date.parse(time), value: rating, low, high })),
  }));
  return <IntervalCourse title={`Rating of ${history.username}: ${at(0)}, ${at(-1)}`} lines={lines} />;
}
