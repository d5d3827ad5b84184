/**
 * Returns the probability that the sum of `values`, each times an independent standard exponential weight, is positive. Exact, in the product
 * of the numbers of positive and negative values. Exponentials have no memory: of two running terms a and -b the positive one outlasts the other
 * with probability a / (a + b), and what is left of it is distributed as the whole. So terms cancel one by one until one side is used up.
 */
export function probabilityPositive(values: Iterable<number>): number {
  const gains: number[] = [];
  const losses: number[] = [];
  for (const value of values) {
    if (value > 0) gains.push(value);
    else if (value < 0) losses.push(-value);
  }
  if (gains.length === 0) return 0;
  const count = losses.length;
  // At `at`: the probability with the gains so far, when the losses from `at` on are left.
  const outlasts = new Float64Array(count + 1);
  outlasts[count] = 1;
  for (const gain of gains) {
    for (let at = count - 1; at >= 0; at--) {
      const loss = losses[at] as number;
      outlasts[at] = (gain * (outlasts[at + 1] as number) + loss * (outlasts[at] as number)) / (gain + loss);
    }
  }
  return outlasts[0] as number;
}
