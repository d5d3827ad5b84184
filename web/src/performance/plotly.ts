// The core registers the scatter trace alone: a third of the whole library. It is imported where a graph is drawn, never before.
import './global-name.ts';
import Plotly from 'plotly.js/lib/core';

export const react = Plotly.react;
export const relayout = Plotly.relayout;
export const purge = Plotly.purge;
export const toImage = Plotly.toImage;
