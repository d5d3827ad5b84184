import type { Config, Data, Layout } from 'plotly.js';
import { useCallback } from 'react';
import type { EstimatorId } from '../lib/types.ts';
import { LazyPlot } from '../performance/lazy-plot.tsx';
import { ESTIMATORS, formatPoints, inUnit, type RankedPlayer, UNITS, type Unit } from './points.ts';

/** Draws points with their intervals. */
export function IntervalPlot({ players, estimator, unit }: IntervalFigure) {
  const build = useCallback(
    (options: Parameters<typeof buildIntervals>[1]) => {
      const figure = { players, estimator, unit };
      return { data: buildIntervals(figure, options), layout: buildIntervalLayout(figure, options) };
    },
    [players, estimator, unit],
  );
  const points = players.flatMap(({ username, estimates }) => {
    const estimate = estimates[estimator];
    if (estimate === null) return [];
    const { value, low, high } = inUnit(estimate, unit);
    return [`${username} ${formatPoints(value, unit)} (${formatPoints(low, unit)} to ${formatPoints(high, unit)})`];
  });
  return (
    <LazyPlot
      label={`${ESTIMATORS[estimator].label} points with 95 % intervals: ${points.join(', ')}`}
      build={build}
      config={INTERVAL_CONFIG}
      minHeight={(width) => figureHeight(players.length, width)}
    />
  );
}

export type IntervalFigure = { players: readonly RankedPlayer[]; estimator: EstimatorId; unit: Unit };

/** How the figure is drawn. */
export type IntervalOptions = {
  width: number;
  /** Returns the value of a design token, because plotly cannot read CSS variables. */
  color: (token: string) => string;
  /** A background and a title, for the exported picture. */
  picture?: boolean;
};

const FONT = "'IBM Plex Mono', ui-monospace, monospace";
/** Below this width the names are above the bars instead of beside them. */
const NARROW = 640;
const CHARACTER = 7.3;
const MARGIN = { top: 12, bottom: 56, right: 20 };

const rowHeight = (width: number) => (width < NARROW ? 46 : 34);

/** Returns the height of the figure in pixels: a row for each player. */
function figureHeight(players: number, width: number): number {
  return players * rowHeight(width) + MARGIN.top + MARGIN.bottom;
}

/** Constant, because plotly redraws everything for a new configuration object. */
const INTERVAL_CONFIG = { staticPlot: true, displayModeBar: false, responsive: false } satisfies Partial<Config>;

/** Builds the points with their 95 % intervals, one row for each player, the first one at the top. */
export function buildIntervals({ players, estimator, unit }: IntervalFigure, { color }: IntervalOptions): Data[] {
  const rows = players.flatMap(({ estimates }, row) => {
    const estimate = estimates[estimator];
    return estimate === null ? [] : [{ row, ...inUnit(estimate, unit) }];
  });
  return [
    {
      type: 'scatter',
      mode: 'markers',
      x: rows.map(({ value }) => value),
      y: rows.map(({ row }) => row),
      hoverinfo: 'none',
      marker: { symbol: 'circle', size: 10, color: color('--color-accent') },
      error_x: {
        type: 'data',
        symmetric: false,
        array: rows.map(({ value, high }) => high - value),
        arrayminus: rows.map(({ value, low }) => value - low),
        color: color('--color-accent'),
        thickness: 2,
        width: 6,
      },
    },
  ];
}

/** Returns the rows of tied players as pairs of the first and the last row. */
function tiedRows(players: readonly RankedPlayer[]): [number, number][] {
  const found = new Map<string, [number, number]>();
  for (const [row, { rank, tiedWith }] of players.entries()) {
    if (rank !== null && tiedWith.length > 0) found.set(rank, [found.get(rank)?.[0] ?? row, row]);
  }
  return [...found.values()];
}

/** Builds the layout: points on the x axis, names beside the rows or, in a narrow figure, above them; tied players on a band. */
export function buildIntervalLayout(
  { players, estimator, unit }: IntervalFigure,
  { width, color, picture }: IntervalOptions,
) {
  const narrow = width < NARROW;
  const longest = Math.max(0, ...players.map(({ username }) => username.length));
  const names = players.map(({ username, rank }) => (rank === null ? username : `${rank}  ${username}`));
  const clear = 'rgba(0,0,0,0)';
  return {
    width,
    height: figureHeight(players.length, width) + (picture ? 36 : 0),
    margin: {
      l: narrow ? 6 : Math.max(90, (longest + 7) * CHARACTER),
      r: MARGIN.right,
      t: picture ? 48 : MARGIN.top,
      b: MARGIN.bottom,
    },
    paper_bgcolor: picture ? color('--color-panel') : clear,
    plot_bgcolor: clear,
    font: { family: FONT, color: color('--color-text-soft'), size: 12 },
    ...(picture
      ? { title: { text: `${ESTIMATORS[estimator].label} points with 95 % intervals`, font: { size: 14 } } }
      : {}),
    showlegend: false,
    hovermode: false as const,
    dragmode: false as const,
    xaxis: {
      title: { text: UNITS[unit], standoff: 10 },
      fixedrange: true,
      gridcolor: color('--color-chart-grid'),
      zerolinecolor: color('--color-border-strong'),
      zerolinewidth: 2,
      nticks: narrow ? 5 : 11,
      tickformat: ',.6~g',
    },
    yaxis: {
      range: [players.length - 0.5, -0.5],
      fixedrange: true,
      tickvals: narrow ? [] : players.map((_player, row) => row),
      ticktext: narrow ? [] : names,
      showgrid: false,
      zeroline: false,
    },
    annotations: narrow
      ? names.map((text, row) => ({
          text,
          xref: 'paper' as const,
          x: 0,
          xanchor: 'left' as const,
          y: row - 0.3,
          showarrow: false,
          font: { color: color('--color-text'), size: 11 },
        }))
      : [],
    shapes: tiedRows(players).map(([first, last]) => ({
      type: 'rect' as const,
      xref: 'paper' as const,
      x0: 0,
      x1: 1,
      y0: first - 0.46,
      y1: last + 0.46,
      layer: 'below' as const,
      fillcolor: color('--color-accent'),
      opacity: 0.1,
      line: { width: 0 },
    })),
  } satisfies Partial<Layout>;
}
