import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { playerPath } from '../lib/matches.ts';
import { letterOf } from '../lib/scores.ts';
import type { Pairs } from '../lib/types.ts';

import '../components/matrix.css';
import type { Data, Layout } from 'plotly.js';
import { Name } from '../components/name.tsx';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

/** Shows a heat map of all pairs as a table: the probability that the player of a row is better than that of a column. */
export function PairMatrix({ pairs, names }: { pairs: Pairs; names: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="matrix-scroll" aria-label="All pairs" tabIndex={0}>
      <table className="matrix">
        <caption className="visually-hidden">
          Probability in percent that the player of a row is better than the player of a column
        </caption>
        <thead>
          <tr>
            <th scope="col">Player</th>
            {names.map((name, index) => (
              <th key={name} scope="col" title={name}>
                {letterOf(index)} <span className="visually-hidden">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((row, index) => (
            <tr key={row}>
              <th scope="row">
                {letterOf(index)}{' '}
                <Link to={playerPath(row)}>
                  <Name name={row} />
                </Link>
              </th>
              {names.map((column) => (
                <Cell key={column} pairs={pairs} row={row} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ pairs, row, column }: { pairs: Pairs; row: string; column: string }) {
  const view = pairOf(pairs, row, column);
  if (row === column || view.better === null) {
    return (
      <td className="matrix-none">
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">{row === column ? 'itself' : 'cannot be compared'}</span>
      </td>
    );
  }
  return (
    <td
      className={view.better < 0.5 ? 'matrix-lost' : 'matrix-won'}
      style={{ '--share': Math.abs(view.better - 0.5) * 2 } as CSSProperties}
      title={describePair(view, row, column)}
    >
      {view.needed === 0 ? <b>{formatPercent(view.better)}</b> : formatPercent(view.better)}
      {view.needed !== null && view.needed > 0 && (
        <small className="pair-needed">
          +{compact.format(view.needed)}
          <span className="visually-hidden"> hands needed</span>
        </small>
      )}
    </td>
  );
}

const FONT = "'IBM Plex Mono', ui-monospace, monospace";
const CELL = 64;

/** Builds the matrix of pairs as a heat map for an exported picture. `color` returns the value of a design token. */
export function buildHeatMap({ usernames, better }: Pairs, color: (token: string) => string) {
  const longest = Math.max(...usernames.map((name) => name.length));
  const margin = { l: 30 + longest * 7.3, r: 30, t: 60, b: 30 + longest * 7.3 };
  const [width, height] = [
    usernames.length * CELL + margin.l + margin.r,
    usernames.length * CELL + margin.t + margin.b,
  ];
  const places = usernames.map((_name, index) => index);
  const axis = { tickvals: places, ticktext: usernames, showgrid: false, zeroline: false, fixedrange: true };
  const data: Data[] = [
    {
      type: 'heatmap',
      x: places,
      y: places,
      z: better.map((row) => [...row]),
      text: better.map((row) =>
        row.map((value) => (value === null ? '' : formatPercent(value))),
      ) as unknown as string[],
      texttemplate: '%{text}',
      // Beyond 0 and 1, so that the colours stay weak enough for the text.
      zmin: -0.6,
      zmax: 1.6,
      colorscale: [
        [0, color('--color-red')],
        [0.5, color('--color-panel')],
        [1, color('--color-green')],
      ],
      showscale: false,
      xgap: 2,
      ygap: 2,
      hoverinfo: 'none',
    },
  ];
  const layout: Partial<Layout> = {
    width,
    height,
    margin,
    title: { text: 'Probability in % that the row is better than the column', font: { size: 14 } },
    paper_bgcolor: color('--color-panel'),
    plot_bgcolor: color('--color-panel-raised'),
    font: { family: FONT, color: color('--color-text'), size: 12 },
    xaxis: { ...axis, tickangle: 90 },
    yaxis: { ...axis, autorange: 'reversed' },
  };
  return { data, layout, width, height };
}

/** Formats a probability: '97.3 %' with a space that does not break, never 0 or 100 %. */
export function formatProbability(probability: number): string {
  if (probability > 0.999) return 'more than 99.9\u00a0%';
  if (probability < 0.001) return 'less than 0.1\u00a0%';
  return `${(probability * 100).toFixed(1)}\u00a0%`;
}

/** Formats a probability for a narrow cell: '97', '>99', '<1'. */
export function formatPercent(probability: number): string {
  const percent = Math.round(probability * 100);
  if (percent === 100) return '>99';
  return percent === 0 ? '<1' : String(percent);
}

export type PairView = {
  /** Probability that the first player is better, 0.5 for equal results, and for others that the test takes for no lead; null if nothing can be said. */
  better: number | null;
  /** Hands that each of the two still has to play to be told apart, all pairs compared at once; 0: they are; null: no useful number. */
  needed: number | null;
};

/** Returns what the data say about two players, by name. */
export function pairOf({ usernames, better, hands_needed }: Pairs, first: string, second: string): PairView {
  const [row, column] = [usernames.indexOf(first), usernames.indexOf(second)];
  return { better: better[row]?.[column] ?? null, needed: hands_needed[row]?.[column] ?? null };
}

const about = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Describes in one or two sentences which of two players is better. */
export function describePair({ better, needed }: PairView, first: string, second: string): string {
  if (better === null) return `The data cannot compare ${first} and ${second}: too few matches.`;
  if (better === 0.5 && needed === null)
    return `The data say nothing about who is better: ${first} and ${second} have equal results, or too similar ones.`;
  if (better === 0.5)
    return `The data say nothing about who is better, ${first} or ${second}: each of them has to play about ${about.format(needed ?? 0)} more hands.`;
  const [leader, other, probability] = better > 0.5 ? [first, second, better] : [second, first, 1 - better];
  const says = `The probability that ${leader} is better than ${other} is ${formatProbability(probability)}.`;
  if (needed === 0) return `${says} They are told apart.`;
  const lacking = `${says} With all pairs compared at once, that does not tell them apart:`;
  if (needed === null)
    return `${lacking} their results are too similar, or too few, to plan how many more hands would.`;
  return `${lacking} each of them has to play about ${about.format(needed)} more hands.`;
}
