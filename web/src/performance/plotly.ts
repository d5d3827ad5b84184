// plotly.js/lib/core has the scatter trace only and is a third of the whole library. Imported dynamically when a graph is drawn.
import './global-name.ts';
import type { Config, Data, Layout } from 'plotly.js';
import Plotly from 'plotly.js/lib/core';
import createPlotlyComponent from 'react-plotly.js/factory';
import { type Drawn, isZoomOnly } from './figure.ts';

type Figure = Drawn & { data: Data[]; layout: Partial<Layout>; config: Partial<Config> };

const drawn = new WeakMap<HTMLElement, Drawn>();

/** Draws a figure for react-plotly.js. If only the ranges changed, updates only the axes, which is faster. */
function react(element: HTMLElement, figure: Figure) {
  const before = drawn.get(element);
  drawn.set(element, figure);
  if (before === undefined || !isZoomOnly(before, figure)) {
    return Plotly.react(element, figure.data, figure.layout, figure.config);
  }
  const { xaxis, yaxis } = figure.layout;
  const ranges: object = { 'xaxis.range': xaxis.range, 'yaxis.range': yaxis.range };
  return Plotly.relayout(element, ranges);
}

function purge(element: HTMLElement) {
  drawn.delete(element);
  Plotly.purge(element);
}

/** The component of react-plotly.js with this build of plotly. Redraws if data, layout or config is a new object. */
export const Plot = createPlotlyComponent({ react, purge });

export const toImage = Plotly.toImage;
