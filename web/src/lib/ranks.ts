/** Adds ranks to rows, the highest score first from `first`: equal scores share a rank. */
export function withRanks<Row>(
  rows: readonly Row[],
  scoreOf: (row: Row) => number,
  first = 1,
): (Row & { rank: number })[] {
  const scores = rows.map(scoreOf);
  return rows.map((row, at) => ({ ...row, rank: first + scores.filter((other) => other > (scores[at] ?? 0)).length }));
}
