const spinMs = 80;

/**
 * How much longer this machine takes for a piece of work than the work itself, because others use it: 1 when it is idle.
 * Measured before and after each run, so that a budget means this product and not its neighbours.
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

/** A measurement together with the load around it. */
export async function underLoad(measure: () => Promise<number>): Promise<Measured> {
  const before = contention();
  const value = await measure();
  return { value, load: (before + contention()) / 2 };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The median of the runs, each divided by the load it ran under. */
const fair = (runs: readonly Measured[]): number => median(runs.map(({ value, load }) => value / load));

/** For the log: the raw values with their loads, and the median of their quotients. */
export const report = (runs: readonly Measured[]): string =>
  `${runs.map(({ value, load }) => `${value.toFixed(0)}${load > 1.1 ? `@${load.toFixed(1)}` : ''}`).join(', ')} ms (at load 1: ${fair(runs).toFixed(0)})`;
