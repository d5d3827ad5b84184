/**
 * Upper bounds in ms of the buckets of a bot's decision times; one further bucket holds longer times. Part of the stored reports:
 * append only.
 */
export const DECISION_BOUNDS_MS: readonly number[] = [
  0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
];

/** Computes a percentile (`share`: 0 to 1) of counted times: the upper bound of its bucket in ms, at most `maxMs`. */
export function decisionPercentile(counts: readonly number[], share: number, maxMs: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= share * total;
  });
  return Math.min(maxMs, DECISION_BOUNDS_MS[bucket] ?? maxMs);
}
