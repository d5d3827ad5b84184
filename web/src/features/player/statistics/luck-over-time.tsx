import { useMemo } from 'react';
import { formatDelta, formatNumber } from '../../../lib/format.ts';
import { LinePlotPanel } from './line-plot.tsx';
import type { LineFigure, PlayerPlay } from './play-figures.ts';

const MAX_TICKS = 10;

const lastOf = (values: readonly number[]) => values.at(-1) ?? 0;
const matchesText = (count: number) => (count === 1 ? '1 match' : `${formatNumber(count)} matches`);

function sentence({ username, luck }: PlayerPlay): string {
  const [raw, adjusted] = [lastOf(luck.raw), Math.round(lastOf(luck.adjusted))];
  return `The result of ${username} over ${matchesText(lastOf(luck.points))} is ${formatDelta(raw)}; without luck it is ${formatDelta(adjusted)}, so luck gave ${formatDelta(raw - adjusted)}.`;
}

function figureOf(players: readonly PlayerPlay[]): LineFigure {
  const matches = Math.max(0, ...players.map(({ luck }) => lastOf(luck.points)));
  return {
    // Matches are whole.
    ...(matches < MAX_TICKS ? { xStep: 1 } : {}),
    title: 'Luck and skill over time',
    xTitle: 'matches',
    yTitle: 'chips won',
    lines: players.flatMap(({ username, luck }) => [
      { name: `${username}, as played`, x: luck.points, y: luck.raw },
      { name: `${username}, without luck`, x: luck.points, y: luck.adjusted },
    ]),
  };
}

/** Draws the cumulative chips of each player, as played and without luck. Renders nothing until the luck of a match is computed. */
export function LuckOverTime({ players, fileName }: { players: readonly PlayerPlay[]; fileName: string }) {
  const known = useMemo(() => players.filter(({ luck }) => lastOf(luck.points) > 0), [players]);
  const figure = useMemo(() => figureOf(known), [known]);
  if (known.length === 0) return null;
  const sentences = known.map(sentence);
  const pending = Math.max(...known.map(({ luck }) => luck.pending_matches));
  return (
    <LinePlotPanel figure={figure} summary={sentences.join(' ')} fileName={`luck-${fileName}`}>
      {sentences.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p className="muted">
        The line without luck leaves out what the cards gave: the change of the value of a hand when cards are dealt.
        What remains are the decisions of the bots, and a smaller part of chance.
        {pending > 0 && ` The luck of ${matchesText(pending)} is still being computed.`}
      </p>
    </LinePlotPanel>
  );
}
