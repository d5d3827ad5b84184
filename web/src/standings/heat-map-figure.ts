import type { Data, Layout } from 'plotly.js';
import type { Pairs } from '../lib/types.ts';
import { formatPercent } from './pairs.ts';

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
