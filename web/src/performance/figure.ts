import type { Config, Data, Layout } from 'plotly.js';
import type { InterestingHand } from './interesting-hands.ts';
import { lineStyle } from './line-style.ts';
import type { SampledSeries } from './series.ts';
import type { ZoomRange } from './zoom-bar.tsx';

export type Figure = {
  lines: readonly SampledSeries[];
  /** Indices of the lines that are not drawn. */
  hidden: ReadonlySet<number>;
  range: ZoomRange;
  hands: number;
  interesting: readonly InterestingHand[];
};

/** How a figure is drawn. */
export type DrawingOptions = {
  width: number;
  height: number;
  /** A legend inside the figure, for the exported picture. */
  legend?: boolean;
  /** Whether a drag selects a range; off on touch screens, where a drag scrolls the page. */
  drag: boolean;
  /** Returns the value of a design token, because plotly cannot read CSS variables. */
  color: (token: string) => string;
};

/** Margins of the plot in pixels, also used to position the cursor. */
export const MARGIN = { left: 76, right: 24, top: 16, bottom: 52 };

const FONT = "'IBM Plex Mono', ui-monospace, monospace";
const PIXELS_PER_MARKER = 34;

/** Constant, because plotly redraws everything for a new configuration object. */
export const CONFIG = {
  displayModeBar: false,
  doubleClick: false,
  responsive: false,
  showTips: false,
  scrollZoom: false,
} satisfies Partial<Config>;

/** Returns the minimum and maximum of the visible lines within a range, with a margin of 6 %. */
export function valueRange({ lines, hidden, range }: Pick<Figure, 'lines' | 'hidden' | 'range'>): [number, number] {
  let [low, high] = [0, 0];
  let first = true;
  for (const [index, line] of lines.entries()) {
    if (hidden.has(index)) continue;
    for (const [point, value] of line.values.entries()) {
      const hand = line.hands[point] ?? 0;
      if (range !== null && (hand < range.from || hand > range.to)) continue;
      [low, high] = first ? [value, value] : [Math.min(low, value), Math.max(high, value)];
      first = false;
    }
  }
  const margin = (high - low) * 0.06 || 10;
  return [low - margin, high + margin];
}

/** Builds one trace per line, in order. */
export function buildTraces({ lines, hidden }: Figure, { width, color }: Pick<DrawingOptions, 'width' | 'color'>) {
  const maxdisplayed = Math.max(6, Math.round(width / PIXELS_PER_MARKER));
  return lines.map((line, index) => {
    const style = lineStyle(index);
    return {
      type: 'scatter' as const,
      mode: 'lines+markers' as const,
      name: line.name,
      x: line.hands,
      y: line.values,
      visible: !hidden.has(index),
      hoverinfo: 'none' as const,
      line: { color: color(style.token), width: 2, dash: style.dashName, simplify: true },
      marker: { symbol: style.marker, size: width < 480 ? 6 : 8, color: color(style.token), maxdisplayed },
    } satisfies Data;
  });
}

function axis(title: string, fixed: boolean, color: DrawingOptions['color']) {
  return {
    title: { text: title, standoff: 10 },
    fixedrange: fixed,
    gridcolor: color('--color-chart-grid'),
    linecolor: color('--color-muted'),
    zerolinecolor: color('--color-border-strong'),
    tickfont: { color: color('--color-text-soft'), size: 12 },
  };
}

/** Builds the layout without its ranges: hands on the x axis, dollars on the y axis, dotted lines at interesting hands. */
export function buildFrame(
  { interesting }: Pick<Figure, 'interesting'>,
  { width, height, legend = false, drag, color }: DrawingOptions,
) {
  return {
    width,
    height,
    margin: { l: MARGIN.left, r: MARGIN.right, t: MARGIN.top, b: MARGIN.bottom },
    paper_bgcolor: legend ? color('--color-ground') : 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: FONT, color: color('--color-text-soft'), size: 12 },
    showlegend: legend,
    hovermode: false as const,
    dragmode: drag ? ('zoom' as const) : (false as const),
    xaxis: { ...axis('Interval', !drag, color), rangemode: 'tozero' as const },
    yaxis: { ...axis('Delta Money ($)', true, color), tickformat: ',.6~g' },
    shapes: interesting.map(({ iteration }) => ({
      type: 'line' as const,
      xref: 'x' as const,
      yref: 'paper' as const,
      x0: iteration,
      x1: iteration,
      y0: 0,
      y1: 1,
      layer: 'below' as const,
      opacity: 0.4,
      line: { color: color('--color-yellow'), width: 1, dash: 'dot' as const },
    })),
  } satisfies Partial<Layout>;
}

/** Adds the ranges to a frame. Creates new axis objects, because plotly writes the range of a drag into them. */
export function withRanges(frame: ReturnType<typeof buildFrame>, figure: Omit<Figure, 'interesting'>) {
  const { range, hands } = figure;
  const hand: [number, number] = range === null ? [0, Math.max(1, hands)] : [range.from, range.to];
  return {
    ...frame,
    xaxis: { ...frame.xaxis, range: hand },
    yaxis: { ...frame.yaxis, range: valueRange(figure) },
  } satisfies Partial<Layout>;
}

type Axis = { range: unknown };

/** A drawn figure. Its parts are compared by identity. */
export type Drawn = { data: unknown; layout: { xaxis: Axis; yaxis: Axis } };

function equalExcept(ignored: string[], before: object, next: object): boolean {
  const old = new Map(Object.entries(before));
  return Object.entries(next).every(([name, value]) => ignored.includes(name) || Object.is(old.get(name), value));
}

/** Returns whether only the ranges of the axes differ between the drawn figure and the next one. */
export function isZoomOnly(before: Drawn, next: Drawn): boolean {
  return (
    before.data === next.data &&
    equalExcept(['xaxis', 'yaxis'], before.layout, next.layout) &&
    equalExcept(['range'], before.layout.xaxis, next.layout.xaxis) &&
    equalExcept(['range'], before.layout.yaxis, next.layout.yaxis)
  );
}
