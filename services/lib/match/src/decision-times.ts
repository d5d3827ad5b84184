/**
 * Upper bounds in ms of the histogram of a bot's decision times; what is longer than the last one has a place of its own. The
 * list is part of the stored reports: add at the end only.
 */
export const DECISION_BOUNDS_MS: readonly number[] = [
  0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
];

/** The place of a time in the histogram: 0 .. DECISION_BOUNDS_MS.length. */
export function decisionPlace(ms: number): number {
  const place = DECISION_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return place < 0 ? DECISION_BOUNDS_MS.length : place;
}
