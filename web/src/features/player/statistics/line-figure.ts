import type { Config, Data, Layout } from 'plotly.js';
import { lineStyle } from '../../../performance/line-style.ts';

export type PlotLine = { name: string; x: readonly (string | number)[]; y: readonly number[] };
export type LineFigure = {
  title: string;
  xTitle: string;
  yTitle: string;
  lines: readonly PlotLine[];
  /** Distance of the ticks of the x axis; plotly chooses it by default. */
  xStep?: number;
};

export type LineOptions = {
  width: number;
  height: number;
  /** Returns the value of a design token, because plotly cannot read CSS variables. */
  color: (token: string) => string;
  /** A background and a title, for the exported picture. */
  picture?: boolean;
};

const FONT = "'IBM Plex Mono', ui-monospace, monospace";
const NARROW = 480;

/** Constant, because plotly redraws everything for a new configuration object. */
export const LINE_CONFIG = { staticPlot: true, displayModeBar: false, responsive: false } satisfies Partial<Config>;

/** Builds a trace for each line; colour, dash and marker differ. */
export function buildLines({ lines }: LineFigure, { color, width }: LineOptions): Data[] {
  return lines.map(({ name, x, y }, index) => {
    const { token, dashName, marker } = lineStyle(index);
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name,
      x: [...x],
      y: [...y],
      hoverinfo: 'none',
      line: { color: color(token), width: 2, dash: dashName },
      marker: { symbol: marker, size: 7, color: color(token), maxdisplayed: Math.max(6, Math.round(width / 34)) },
    } satisfies Data;
  });
}

/** Builds the layout with a legend above the plot. */
export function buildLineLayout(
  { title, xTitle, yTitle, xStep }: LineFigure,
  { width, height, color, picture }: LineOptions,
) {
  const clear = 'rgba(0,0,0,0)';
  const axis = {
    fixedrange: true,
    gridcolor: color('--color-chart-grid'),
    linecolor: color('--color-muted'),
    zerolinecolor: color('--color-border-strong'),
    tickfont: { color: color('--color-text-soft'), size: width < NARROW ? 10 : 12 },
    automargin: true,
  };
  return {
    width,
    height,
    margin: { l: 64, r: 20, t: picture ? 84 : 40, b: 56 },
    paper_bgcolor: picture ? color('--color-panel') : clear,
    plot_bgcolor: clear,
    font: { family: FONT, color: color('--color-text-soft'), size: 12 },
    ...(picture ? { title: { text: title, font: { size: 14 } } } : {}),
    showlegend: true,
    legend: { orientation: 'h' as const, x: 0, y: 1, yanchor: 'bottom' as const },
    hovermode: false as const,
    dragmode: false as const,
    xaxis: { ...axis, title: { text: xTitle, standoff: 10 }, ...(xStep === undefined ? {} : { dtick: xStep }) },
    yaxis: { ...axis, title: { text: yTitle, standoff: 10 }, tickformat: ',.6~g' },
  } satisfies Partial<Layout>;
}
