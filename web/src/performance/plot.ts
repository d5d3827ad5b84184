// The only import of uPlot. Imported dynamically when a graph comes into view.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { tokenColor } from '../lib/token-color.ts';
import { AXIS_TITLES, type Figure, handRange, MARGIN, valueRange } from './figure.ts';
import { lineStyle } from './line-style.ts';

type Size = { width: number; height: number };

export type PlotOptions = Size & {
  /** Whether a drag selects a range; off on touch screens, where a drag scrolls the page. */
  drag: boolean;
  /** Draws the titles of the axes, for the exported picture. On the page they are text. */
  titles?: boolean;
  /** Receives the ends of a drag in hands, with fractions. */
  onSelect?: (from: number, to: number) => void;
  onReset?: () => void;
  onDrawn?: (plot: uPlot) => void;
};

const PIXELS_PER_MARKER = 34;
const FONT = "12px 'IBM Plex Mono', ui-monospace, monospace";
const dollars = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Joins the lines on one x axis. A line without a value at a hand is drawn through to its next value. */
function dataOf({ lines }: Figure): uPlot.AlignedData {
  if (lines.length === 0) return [[]];
  return uPlot.join(lines.map(({ hands, values }): uPlot.AlignedData => [hands, values]));
}

function drawMarkers(plot: uPlot, series: number): void {
  const [hands, values] = [plot.data[0], plot.data[series] ?? []];
  const { left, top, width, height } = plot.bbox;
  const ratio = uPlot.pxRatio;
  const marker = new Path2D(lineStyle(series - 1).markerPath);
  const [from = 0, to = 0] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0];
  const shown = [...hands.keys()].filter((point) => (hands[point] ?? 0) >= from && (hands[point] ?? 0) <= to);
  const every = Math.ceil(shown.length / Math.max(6, Math.round(plot.width / PIXELS_PER_MARKER)));
  const scale = (plot.width < 480 ? 0.75 : 1) * ratio;
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top - 6 * ratio, width + 6 * ratio, height + 12 * ratio);
  ctx.clip();
  ctx.fillStyle = tokenColor(lineStyle(series - 1).token);
  for (const [index, point] of shown.entries()) {
    const value = values[point];
    if (index % every !== 0 || value === null || value === undefined) continue;
    const [x, y] = [plot.valToPos(hands[point] ?? 0, 'x', true), plot.valToPos(value, 'y', true)];
    ctx.setTransform(scale, 0, 0, scale, x, y);
    ctx.fill(marker);
  }
  ctx.restore();
}

/** Draws a dotted vertical line at each interesting hand. */
function drawInteresting(plot: uPlot, { interesting }: Figure): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = tokenColor('--color-yellow');
  ctx.globalAlpha = 0.4;
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  for (const { iteration } of interesting) {
    const x = plot.valToPos(iteration, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function axis(size: number, title: string | undefined): uPlot.Axis {
  return {
    size: title === undefined ? size : size - 20,
    stroke: () => tokenColor('--color-text-soft'),
    font: FONT,
    grid: { stroke: () => tokenColor('--color-chart-grid'), width: 1 },
    ticks: { show: false },
    ...(title === undefined ? {} : { label: title, labelFont: FONT, labelSize: 20 }),
  };
}

/** A drawn graph. `update` draws another figure with as many lines or another number of them. */
export type Plot = {
  update: (figure: Figure) => void;
  resize: (size: Size) => void;
  redraw: () => void;
  destroy: () => void;
};

const seriesOf = ({ lines, hidden }: Figure): uPlot.Series[] =>
  lines.map((line, index) => ({
    label: line.name,
    show: !hidden.has(index),
    stroke: () => tokenColor(lineStyle(index).token),
    width: 2,
    dash: [...lineStyle(index).dash],
    spanGaps: true,
    points: { show: false },
  }));

/** Draws a figure into an element. */
export function createPlot(element: HTMLElement, first: Figure, options: PlotOptions): Plot {
  let figure = first;
  const { drag, titles = false, onSelect, onReset, onDrawn } = options;
  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: [MARGIN.top, MARGIN.right, 0, 0],
      legend: { show: false },
      cursor: {
        x: false,
        y: false,
        points: { show: false },
        drag: { x: drag, y: false, setScale: false },
        bind: {
          dblclick: () => () => {
            onReset?.();
            return null;
          },
        },
      },
      scales: {
        x: { time: false, range: () => handRange(figure) },
        y: { range: () => valueRange(figure) },
      },
      axes: [
        axis(MARGIN.bottom, titles ? AXIS_TITLES.x : undefined),
        {
          ...axis(MARGIN.left, titles ? AXIS_TITLES.y : undefined),
          values: (_plot, splits) => splits.map((split) => dollars.format(split)),
        },
      ],
      series: [{}, ...seriesOf(first)],
      hooks: {
        drawAxes: [(drawn) => drawInteresting(drawn, figure)],
        drawSeries: [drawMarkers],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select;
            drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (width > 0) onSelect?.(drawn.posToVal(left, 'x'), drawn.posToVal(left + width, 'x'));
          },
        ],
        ready: [(drawn) => onDrawn?.(drawn)],
      },
    },
    dataOf(first),
    element,
  );
  return {
    update(next) {
      const before = figure;
      figure = next;
      plot.batch(() => {
        if (before.lines.length !== next.lines.length) {
          for (let index = before.lines.length; index > 0; index -= 1) plot.delSeries(index);
          for (const series of seriesOf(next)) plot.addSeries(series);
        } else {
          for (const index of next.lines.keys()) {
            if (before.hidden.has(index) !== next.hidden.has(index))
              plot.setSeries(index + 1, { show: !next.hidden.has(index) });
          }
        }
        plot.setData(before.lines === next.lines ? plot.data : dataOf(next));
      });
    },
    resize: (size) => plot.setSize(size),
    redraw: () => plot.redraw(),
    destroy: () => plot.destroy(),
  };
}
