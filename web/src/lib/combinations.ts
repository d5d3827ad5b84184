/** Ways to choose k from n; 0 where there are none. Exact up to 2^53. */
export function combinations(n: number, k: number): number {
  if (!Number.isInteger(n) || !Number.isInteger(k) || k < 0 || n < k) return 0;
  const short = Math.min(k, n - k);
  let ways = 1;
  for (let step = 1; step <= short; step += 1) ways = (ways * (n - short + step)) / step;
  return Math.round(ways);
}
