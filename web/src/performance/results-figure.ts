/** Cumulative winnings of one player; `values` has one value for each of the figure's points. */
export type ResultLine = { name: string; values: readonly number[] };

/** Bounds and ticks of the value axis. */
export type ValueAxis = { low: number; high: number; ticks: number[] };

const TICKS = 6;

/** Returns an axis that contains 0 and all values, with ticks at multiples of 1, 2 or 5 times a power of ten. */
export function valueAxis(lines: readonly ResultLine[]): ValueAxis {
  const values = lines.flatMap((line) => line.values);
  const lowest = values.reduce((min, value) => Math.min(min, value), 0);
  const highest = values.reduce((max, value) => Math.max(max, value), 0);
  const rough = Math.max(1, (highest - lowest) / TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const [first, last] = [Math.floor(lowest / step), Math.max(Math.ceil(highest / step), Math.floor(lowest / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
}

/** Returns the distance of a value from the upper edge, as a share of the height. */
export const shareFromTop = ({ low, high }: ValueAxis, value: number): number => (high - value) / (high - low);

/** Returns the path of a line in a drawing of `width` by `height`. */
export function linePath(
  { values }: ResultLine,
  points: readonly number[],
  axis: ValueAxis,
  width: number,
  height: number,
): string {
  const last = Math.max(1, points.at(-1) ?? 1);
  return values
    .map((value, index) => {
      const x = (((points[index] ?? 0) / last) * width).toFixed(1);
      return `${index === 0 ? 'M' : 'L'}${x} ${(shareFromTop(axis, value) * height).toFixed(1)}`;
    })
    .join('');
}

/**
 * Places labels near their lines without overlaps. Takes and returns shares of the height, in the order of the input; `gap` is the
 * minimum distance of two labels. Labels that do not fit are spread evenly over the height.
 */
export function placeLabels(targets: readonly number[], gap: number): number[] {
  const distance = Math.min(gap, targets.length > 1 ? 1 / (targets.length - 1) : gap);
  const order = targets.map((_, index) => index).sort((a, b) => (targets[a] ?? 0) - (targets[b] ?? 0));
  const placed = [...targets];
  let above = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    above = Math.max(targets[index] ?? 0, above + distance);
    placed[index] = above;
  }
  let below = 1 + distance;
  for (const index of order.toReversed()) {
    below = Math.min(placed[index] ?? 0, below - distance);
    placed[index] = below;
  }
  return placed;
}

/** Returns the index of the line that is nearest to a share of the height at a point. */
export function nearestLine(lines: readonly ResultLine[], axis: ValueAxis, point: number, fromTop: number): number {
  let best = 0;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    const distance = Math.abs(shareFromTop(axis, line.values[point] ?? 0) - fromTop);
    if (distance < minDistance) [best, minDistance] = [index, distance];
  }
  return best;
}
