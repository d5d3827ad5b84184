import type { Dash } from 'plotly.js';

const COLOR_COUNT = 8;

/** Plotly's dashes, and the lengths of dashes and gaps in pixels for SVG; empty: a solid line. */
const DASHES: readonly { dashName: Dash; dash: readonly number[] }[] = [
  { dashName: 'solid', dash: [] },
  { dashName: 'dash', dash: [9, 9] },
  { dashName: 'dot', dash: [3, 3] },
  { dashName: 'dashdot', dash: [9, 3, 3, 3] },
  { dashName: 'longdash', dash: [15, 9] },
  { dashName: 'longdashdot', dash: [15, 6, 3, 6] },
];

/** Plotly's symbols and the same as SVG paths around the origin. */
const MARKERS = [
  { marker: 'circle', markerPath: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z' },
  { marker: 'square', markerPath: 'M-4-4h8v8h-8z' },
  { marker: 'diamond', markerPath: 'M0-5.500L5.500 0 0 5.500-5.500 0z' },
  { marker: 'triangle-up', markerPath: 'M0-5L5 4H-5z' },
  { marker: 'cross', markerPath: 'M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z' },
  { marker: 'triangle-down', markerPath: 'M0 5L5-4H-5z' },
  { marker: 'star', markerPath: 'M0-6l1.800 3.700 4 .500-3 2.800.800 4L0 3.100-3.600 5l.800-4-3-2.800 4-.500z' },
  { marker: 'x', markerPath: 'M-5-3l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z' },
  { marker: 'pentagon', markerPath: 'M0-5.500L5.200-1.700 3.200 4.400H-3.200L-5.200-1.700z' },
  { marker: 'hourglass', markerPath: 'M-5-5H5L-5 5H5z' },
] as const;

/** Style of a player's line: dash and marker distinguish lines as well as colour. */
export type LineStyle = {
  /** Name of the CSS variable of the colour. */
  token: string;
  dashName: Dash;
  dash: readonly number[];
  marker: (typeof MARKERS)[number]['marker'];
  markerPath: string;
};

/** Returns the style of the player at an index of the series. The first 40 differ, and equal colours differ in dash and marker. */
export function lineStyle(index: number): LineStyle {
  return {
    token: `--player-${(index % COLOR_COUNT) + 1}`,
    ...(DASHES[index % DASHES.length] ?? { dashName: 'solid', dash: [] }),
    ...(MARKERS[index % MARKERS.length] ?? MARKERS[0]),
  };
}
