/**
 * Reference evaluator without tables or hashes. Returns the category and the tie-breaking ranks (0 to 12) of five cards as one
 * number. Equal hands have equal values, better ones higher values.
 */
export function fiveValue(ranks: readonly number[], flush: boolean): number {
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].sort(([a, many], [b, more]) => more - many || b - a);
  const shape = groups.map(([, count]) => count).join('');
  const sorted = groups.map(([rank]) => rank);
  const wheel = sorted.join() === '12,3,2,1,0';
  const straight = shape === '11111' && (wheel || (sorted[0] as number) - (sorted[4] as number) === 4);
  const plain = { '41': 7, '32': 6, '311': 3, '221': 2, '2111': 1 }[shape] ?? 0;
  const category = straight ? (flush ? 8 : 4) : flush ? 5 : plain;
  const compared = wheel ? [3] : sorted;
  return compared.reduce((sum, rank, index) => sum + rank * 13 ** (4 - index), category * 13 ** 5);
}
