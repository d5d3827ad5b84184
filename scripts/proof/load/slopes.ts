import type { ResourceSample } from './resources.ts';

/** The growth rate of a quantity with its 95 % confidence interval. */
export interface Slope {
  readonly mean: number;
  /** Units per hour. */
  readonly perHour: number;
  readonly from: number;
  readonly to: number;
}

const blocks = 10;
// 0.975 quantile of Student's t with blocks - 2 = 8 degrees of freedom.
const tQuantile = 2.306;

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the slope of a line fitted to the points [hours, value] by least squares. Points close in time are not independent
 * (a heap is a saw tooth), so the line is fitted to the means of ten blocks of equal length. Undefined if a block has no point.
 */
export function slopeOf(points: readonly (readonly [hours: number, value: number])[]): Slope | undefined {
  const begin = points[0]?.[0] ?? 0;
  const length = ((points.at(-1)?.[0] ?? 0) - begin) / blocks;
  const means = Array.from({ length: blocks }, (_, block) => {
    const inside = points.filter(([at]) => Math.min(blocks - 1, Math.floor((at - begin) / length)) === block);
    return [meanOf(inside.map(([at]) => at)), meanOf(inside.map(([, value]) => value))] as const;
  });
  if (means.some(([at, value]) => Number.isNaN(at) || Number.isNaN(value))) return undefined;
  const at = meanOf(means.map(([x]) => x));
  const mean = meanOf(means.map(([, y]) => y));
  const spread = means.reduce((sum, [x]) => sum + (x - at) ** 2, 0);
  const perHour = means.reduce((sum, [x, y]) => sum + (x - at) * (y - mean), 0) / spread;
  const residual = means.reduce((sum, [x, y]) => sum + (y - mean - perHour * (x - at)) ** 2, 0);
  const half = tQuantile * Math.sqrt(residual / (blocks - 2) / spread);
  return { mean, perHour, from: perHour - half, to: perHour + half };
}

/** Growth per hour, as a share of the mean, that is negligible: less than half of the mean in a day. */
const flatShare = 0.02;

/** Returns whether a quantity grows: its interval is above zero and above 2 % of its mean per hour. */
export const grows = ({ mean, from }: Slope): boolean => from > 0 && from > flatShare * Math.abs(mean);

/**
 * Classifies the growth of a quantity by its slopes over the whole run and over the second half. It levels off if it grows over the whole
 * run, but in the second half neither grows nor can grow as fast. If the second half permits both, the run is too short to decide.
 */
function classifyGrowth(whole: Slope, half: Slope): 'flat' | 'levels off' | 'grows' | 'grows or levels off' {
  if (!grows(whole)) return 'flat';
  if (grows(half)) return 'grows';
  return half.to < whole.perHour ? 'levels off' : 'grows or levels off';
}

const hourMs = 3_600_000;
const formatSlope = ({ perHour, from, to }: Slope) => `${perHour.toFixed(2)} [${from.toFixed(2)}, ${to.toFixed(2)}]`;

interface Growth {
  readonly name: string;
  /** Absent if there are too few readings. */
  readonly slopes?: readonly [whole: Slope, half: Slope];
}

/** Returns the slopes of all quantities. Leaves out the first sixth of the run, in which caches and heaps fill. */
function listSlopes(samples: readonly ResourceSample[]): Growth[] {
  const [first, last] = [samples[0]?.atMs ?? 0, samples.at(-1)?.atMs ?? 0];
  const kept = samples.filter(({ atMs }) => atMs >= first + (last - first) / 6);
  const names = [...new Set(kept.flatMap(({ values }) => [...values.keys()]))];
  return names.map((name) => {
    const points = kept.flatMap(({ atMs, values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[(atMs - first) / hourMs, value] as const];
    });
    const [whole, half] = [slopeOf(points), slopeOf(points.slice(Math.floor(points.length / 2)))];
    return whole === undefined || half === undefined ? { name } : { name, slopes: [whole, half] };
  });
}

/** Quantities that grow with the number of matches and events of the load. */
const expectedToGrow = ['postgresql: database, MiB', 'nats: store, MiB'];

/**
 * Means below which a quantity may grow. nats-server keeps the block of each stream that it writes, up to 8 MiB, and the message ids of two
 * minutes, so it grows with a young store; half of its limit in the chart is more than it needed in any measurement (docs/performance.md).
 */
const mayGrowBelow: Readonly<Record<string, number>> = { 'nats: MiB': 256 };

/** Minimum length of a run whose growth is judged: in a shorter one V8 has rarely collected its old garbage. */
const minJudgedMs = 1_800_000;

/** Returns the names of the quantities that grow, except those that the load is expected to fill. Empty for runs below half an hour. */
export function listGrowing(samples: readonly ResourceSample[]): string[] {
  if ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0) < minJudgedMs) return [];
  return listSlopes(samples).flatMap(({ name, slopes }) =>
    slopes !== undefined &&
    classifyGrowth(...slopes) === 'grows' &&
    !expectedToGrow.includes(name) &&
    slopes[1].mean >= (mayGrowBelow[name] ?? 0)
      ? [name]
      : [],
  );
}

/** Returns a Markdown table of the slopes of all quantities. */
export function reportSlopes(samples: readonly ResourceSample[]): string {
  const rows = listSlopes(samples).map(({ name, slopes }) => {
    if (slopes === undefined) return `| ${name} | too few readings | | | |`;
    const [whole, half] = slopes;
    return `| ${name} | ${whole.mean.toFixed(1)} | ${formatSlope(whole)} | ${formatSlope(half)} | ${classifyGrowth(whole, half)} |`;
  });
  const minutes = (((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / 60_000).toFixed(0);
  const head = `| resource, ${minutes} min | mean | slope per hour [95 %] | in the second half | |`;
  return [head, '|---|---|---|---|---|', ...rows].join('\n');
}
