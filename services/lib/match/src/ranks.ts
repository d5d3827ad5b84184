/** Returns the rank of a score: 1 + the number of higher ones, so that equal scores share a rank. Everything that numbers ranks uses it. */
export const rankOf = (score: number, scores: readonly number[]): number =>
  1 + scores.filter((other) => other > score).length;
