import type { InterestingHand } from './interesting-hands.ts';
import type { SampledSeries } from './series.ts';
import type { ZoomRange } from './zoom-range.ts';

export type Figure = {
  lines: readonly SampledSeries[];
  /** Indices of the lines that are not drawn. */
  hidden: ReadonlySet<number>;
  range: ZoomRange;
  hands: number;
  interesting: readonly InterestingHand[];
};

/** Margins of the plot in pixels, also used to position the cursor. */
export const MARGIN = { left: 76, right: 24, top: 16, bottom: 52 };

export const AXIS_TITLES = { x: 'Interval', y: 'Delta Money ($)' } as const;

/** Returns the range of the x axis in hands. */
export function handRange({ range, hands }: Pick<Figure, 'range' | 'hands'>): [number, number] {
  return range === null ? [0, Math.max(1, hands)] : [range.from, range.to];
}

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
  const room = (high - low) * 0.06 || 10;
  return [low - room, high + room];
}
