/** Returns the binomial coefficient n choose k; exact up to 2^53. */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return Math.round(result);
}

/** Returns combination number `rank` (from 0) of k out of n in lexicographic order, as ascending indices. Throws RangeError. */
export function combinationAt(rank: number, n: number, k: number): number[] {
  if (!Number.isInteger(rank) || rank < 0 || rank >= choose(n, k)) throw new RangeError(`no combination ${rank}`);
  const picked: number[] = [];
  let remaining = rank;
  for (let index = 0; picked.length < k; index++) {
    const without = choose(n - index - 1, k - picked.length - 1);
    if (remaining < without) picked.push(index);
    else remaining -= without;
  }
  return picked;
}
