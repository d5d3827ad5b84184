// plotly with the heat map trace, which only exported pictures need. Imported dynamically.
import './global-name.ts';
import Plotly from 'plotly.js/lib/core';
import heatmap from 'plotly.js/lib/heatmap';

Plotly.register(heatmap);

export const toImage = Plotly.toImage;
