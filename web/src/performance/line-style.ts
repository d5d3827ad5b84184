const COLOR_COUNT = 8;

/** Lengths of dashes and gaps in pixels; empty: a solid line. */
const DASHES: readonly (readonly number[])[] = [[], [9, 9], [3, 3], [9, 3, 3, 3], [15, 9], [15, 6, 3, 6]];

/** SVG paths around the origin: circle, square, diamond, triangle up, cross, triangle down, star, x, pentagon, hourglass. */
const MARKERS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-4-4h8v8h-8z',
  'M0-5.500L5.500 0 0 5.500-5.500 0z',
  'M0-5L5 4H-5z',
  'M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z',
  'M0 5L5-4H-5z',
  'M0-6l1.800 3.700 4 .500-3 2.800.800 4L0 3.100-3.600 5l.800-4-3-2.800 4-.500z',
  'M-5-3l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z',
  'M0-5.500L5.200-1.700 3.200 4.400H-3.200L-5.200-1.700z',
  'M-5-5H5L-5 5H5z',
] as const;

/** Style of a player's line: dash and marker distinguish lines as well as colour. */
export type LineStyle = {
  /** Name of the CSS variable of the colour. */
  token: string;
  dash: readonly number[];
  markerPath: string;
};

/** Returns the style of the player at an index of the series. The first 40 differ, and equal colours differ in dash and marker. */
export function lineStyle(index: number): LineStyle {
  return {
    token: `--player-${(index % COLOR_COUNT) + 1}`,
    dash: DASHES[index % DASHES.length] ?? [],
    markerPath: MARKERS[index % MARKERS.length] ?? MARKERS[0],
  };
}
