import { useMemo } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { LinePlotPanel } from './line-plot.tsx';
import type { LineFigure, PlayerPlay } from './play-figures.ts';

type Times = NonNullable<PlayerPlay['decision_times']>;

/** Formats a duration: '0.5 ms', '120 ms', '2 s'. */
export function formatMs(ms: number): string {
  return ms >= 1000 ? `${formatNumber(Math.round(ms / 100) / 10)} s` : `${formatNumber(Math.round(ms * 10) / 10)} ms`;
}

function sentence(username: string, times: Times): string {
  const { decisions, p50_ms, p95_ms, max_ms } = times;
  return `Half of the ${formatNumber(decisions)} decisions of ${username} took at most ${formatMs(p50_ms)}, 95 % at most ${formatMs(p95_ms)}; the longest took ${formatMs(max_ms)}.`;
}

function figureOf(known: readonly { username: string; times: Times }[]): LineFigure {
  return {
    title: 'Decision times',
    xTitle: 'time of a decision, at most',
    yTitle: 'decisions (%)',
    lines: known.map(({ username, times: { buckets, decisions } }) => ({
      name: username,
      x: buckets.map(({ up_to_ms }) => (up_to_ms === null ? 'longer' : formatMs(up_to_ms))),
      y: buckets.map((bucket) => Math.round((10_000 * bucket.decisions) / decisions) / 100),
    })),
  };
}

/** Shows how long the decisions of each player took. Renders nothing if no dealer has reported times. */
export function DecisionTimes({ players, fileName }: { players: readonly PlayerPlay[]; fileName: string }) {
  const known = useMemo(
    () =>
      players.flatMap(({ username, decision_times: times }) =>
        times === null || times.decisions === 0 ? [] : [{ username, times }],
      ),
    [players],
  );
  const figure = useMemo(() => figureOf(known), [known]);
  if (known.length === 0) return null;
  const sentences = known.map(({ username, times }) => sentence(username, times));
  return (
    <LinePlotPanel figure={figure} summary={sentences.join(' ')} fileName={`decision-times-${fileName}`}>
      {sentences.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p className="muted">
        Wall time from the request to the bot's reply. Values are the upper bounds of the buckets.
      </p>
    </LinePlotPanel>
  );
}
