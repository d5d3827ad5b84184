/** Returns the quantile of the values at this share (nearest rank); NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns `minimum .. maximum`; '' for fewer than two values. */
export function describeSpread(values: readonly number[], digits = 1): string {
  if (values.length < 2) return '';
  return `${Math.min(...values).toFixed(digits)} .. ${Math.max(...values).toFixed(digits)}`;
}
