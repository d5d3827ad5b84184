// The palette of tokens.css, in order. Plotly needs the values, because it cannot read CSS variables.
const COLORS = ['#ffffff', '#559cf8', '#00ffff', '#ffcc00', '#ff6600', '#cc00ff', '#00ff66', '#ff0066'];

const SHAPES = [
  { dash: 'solid', dashPattern: '', marker: 'circle', markerPath: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z' },
  { dash: 'dash', dashPattern: '9 9', marker: 'square', markerPath: 'M-4-4h8v8h-8z' },
  { dash: 'dot', dashPattern: '3 3', marker: 'diamond', markerPath: 'M0-5.500L5.500 0 0 5.500-5.500 0z' },
  { dash: 'dashdot', dashPattern: '9 3 3 3', marker: 'triangle-up', markerPath: 'M0-5L5 4H-5z' },
  { dash: 'longdash', dashPattern: '15 9', marker: 'cross', markerPath: 'M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z' },
  { dash: 'longdashdot', dashPattern: '15 6 3 6', marker: 'triangle-down', markerPath: 'M0 5L5-4H-5z' },
  {
    dash: 'solid',
    dashPattern: '',
    marker: 'star',
    markerPath: 'M0-6l1.800 3.700 4 .500-3 2.800.800 4L0 3.100-3.600 5l.800-4-3-2.800 4-.500z',
  },
  {
    dash: 'dash',
    dashPattern: '9 9',
    marker: 'x',
    markerPath: 'M-5-3l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z',
  },
] as const;

/** Style of a player's line: dash and marker distinguish lines as well as colour. `dashPattern` is for SVG. */
export type LineStyle = { color: string } & (typeof SHAPES)[number];

/** Returns the style of the player at an index of the series; styles repeat after eight. */
export function lineStyle(index: number): LineStyle {
  const place = index % SHAPES.length;
  return { color: COLORS[place] ?? '#ffffff', ...(SHAPES[place] ?? SHAPES[0]) };
}
