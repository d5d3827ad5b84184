// The core registers the scatter trace alone: a third of the whole library. It is imported where a graph is drawn, never before.
import Plotly from 'plotly.js/lib/core';

export const newPlot = Plotly.newPlot;
export const react = Plotly.react;
export const purge = Plotly.purge;
export const toImage = Plotly.toImage;
