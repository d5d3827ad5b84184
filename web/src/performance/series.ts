import { withRanks } from '../lib/scores.ts';

/** Username to the cumulative delta in dollars after hand 1, 2, … */
export type PerformanceData = Record<string, number[]>;

export type PlayerSeries = { name: string; values: number[] };

/** A drawn line: `hands` are the x values (starting with a 0 point), `values` the y values. */
export type SampledSeries = { name: string; hands: number[]; values: number[] };

export type Ranking = { rank: number; name: string; value: number; percent: number; index: number };

const START_CHIPS = 10_000;
const SELECTABLE = [25, 50, 75, 100, 200];

/**
 * Converts the response of user-performance to series in the order of the seats, which decides colours and the order of equal results;
 * players without a known seat come last, by name. A value that is not a number counts as no change.
 */
export function toSeries(data: PerformanceData, seats: readonly string[] = []): PlayerSeries[] {
  const seatOf = new Map(seats.map((name, seat) => [name, seat]));
  const placeOf = ({ name }: PlayerSeries) => seatOf.get(name) ?? seats.length;
  return Object.entries(data)
    .filter((entry): entry is [string, number[]] => Array.isArray(entry[1]))
    .map(([name, values]) => ({ name, values: finite(values) }))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}

function finite(values: readonly unknown[]): number[] {
  let last = 0;
  return values.map((value) => {
    if (typeof value === 'number' && Number.isFinite(value)) last = value;
    return last;
  });
}

export function handCount(series: readonly PlayerSeries[]): number {
  return series.reduce((max, { values }) => Math.max(max, values.length), 0);
}

/** Returns the default number of hands per point: 1 below 100 hands, 10 below 500, 25 below 1,000, then 50. */
export function defaultSample(hands: number): number {
  if (hands < 100) return 1;
  if (hands < 500) return 10;
  return hands < 1_000 ? 25 : 50;
}

/** Returns the selectable sample sizes, including the default. */
export function sampleOptions(hands: number): number[] {
  const byDefault = defaultSample(hands);
  return SELECTABLE.includes(byDefault) ? SELECTABLE : [byDefault, ...SELECTABLE];
}

export function sampleLabel(sample: number): string {
  return sample === 1 ? 'Raw' : `Avg ${sample}`;
}

const toCents = (value: number): number => Math.round(value * 100) / 100;

/** Averages chunks of `sample` hands, rounded to cents, each at its last hand, after a 0 point at hand 0. */
export function sampleSeries(series: PlayerSeries, sample: number): SampledSeries {
  const size = Math.max(1, Math.trunc(sample));
  const hands = [0];
  const values = [0];
  for (let from = 0; from < series.values.length; from += size) {
    const chunk = series.values.slice(from, from + size);
    hands.push(from + chunk.length);
    values.push(toCents(chunk.reduce((sum, value) => sum + value, 0) / chunk.length));
  }
  return { name: series.name, hands, values };
}

/** Returns the index of the sample that contains a hand (0 is the start). */
export function sampleOfHand(hand: number, sample: number): number {
  return Math.ceil(hand / Math.max(1, sample));
}

/** Ranks players by final value, highest first; percent of the starting 10,000. Equal values share a rank. `index` is the index in `series`. */
export function finalRankings(series: readonly PlayerSeries[]): Ranking[] {
  const sorted = series
    .map(({ name, values }, index) => ({ name, index, value: values.at(-1) ?? 0 }))
    .sort((a, b) => b.value - a.value || a.index - b.index);
  return withRanks(sorted, ({ value }) => value).map((entry) => ({
    ...entry,
    percent: (entry.value / START_CHIPS) * 100,
  }));
}
