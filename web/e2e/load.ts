const spinMs = 80;

/**
 * Measures the load of the machine: wall time divided by processor time of a busy loop of 80 ms; 1 on an idle machine. Measured
 * before and after each run, so that results can be compared despite other processes.
 */
export function contention(): number {
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(cpu);
    const usedMs = (user + system) / 1000;
    if (usedMs >= spinMs) return Math.max(1, (performance.now() - began) / usedMs);
  }
}

export interface Measured {
  readonly value: number;
  readonly load: number;
}

/** Runs the measurement and returns its value with the mean of the load before and after it. */
export async function underLoad(measure: () => Promise<number>): Promise<Measured> {
  const before = contention();
  const value = await measure();
  return { value, load: (before + contention()) / 2 };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the median of the values, each divided by its load. */
const normalizedMedian = (runs: readonly Measured[]): number => median(runs.map(({ value, load }) => value / load));

/** Formats the values with their loads, and the median of their quotients, for the log. */
export const report = (runs: readonly Measured[]): string =>
  `${runs.map(({ value, load }) => `${value.toFixed(0)}${load > 1.1 ? `@${load.toFixed(1)}` : ''}`).join(', ')} ms (at load 1: ${normalizedMedian(runs).toFixed(0)})`;
