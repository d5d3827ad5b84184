/** Probability of one false difference anywhere in the table. */
export const alpha = 0.05;

/** The places that a player may have, from 1 for the best. */
export interface Ranks {
  readonly best: number;
  readonly worst: number;
}

interface Significance {
  readonly significant: boolean[][];
  /** Number of compared pairs that are not told apart. */
  readonly undecided: number;
}

/**
 * Returns the pairs with a significant difference, from the probability that the row is better. Holm (1979): tests them by p-value, each
 * against alpha divided by the number of pairs left, so that the probability of one false difference anywhere is at most 5 %.
 */
export function significantPairs(better: readonly (readonly (number | null)[])[]): Significance {
  const tests = better.flatMap((row, i) =>
    row.flatMap((probability, j) =>
      probability === null || j <= i ? [] : [{ i, j, p: 2 * Math.min(probability, 1 - probability) }],
    ),
  );
  tests.sort((a, b) => a.p - b.p);
  const significant = better.map((row) => row.map(() => false));
  let undecided = tests.length;
  for (const { i, j, p } of tests) {
    if (p > alpha / undecided) break;
    undecided -= 1;
    for (const [one, two] of [[i, j] as const, [j, i] as const]) (significant[one] as boolean[])[two] = true;
  }
  return { significant, undecided };
}

/**
 * Returns a group number for each player, from 1 for the best; null for a player without a mean. The best player opens a group; the next ones
 * join it until one differs significantly from a member, and opens the next group. Players of neighbouring groups may still be tied with
 * each other: their ranks show it.
 */
export function groupPlayers(
  means: readonly (number | null)[],
  significant: readonly (readonly boolean[])[],
): (number | null)[] {
  const order = [...means.keys()].filter((index) => means[index] !== null);
  order.sort((a, b) => (means[b] ?? 0) - (means[a] ?? 0) || a - b);
  const groups = means.map((): number | null => null);
  let group = 1;
  let members: number[] = [];
  for (const player of order) {
    if (members.some((member) => significant[member]?.[player])) {
      group += 1;
      members = [];
    }
    members.push(player);
    groups[player] = group;
  }
  return groups;
}

/**
 * Returns the places that significant differences leave to each player; null without a mean. All of them together hold the true order with 95 %.
 * Source: Klein, Wright and Wieczorek, "A joint confidence region for an overall ranking of populations" (JRSS-C 69, 2020).
 */
export function rankPlayers(
  means: readonly (number | null)[],
  significant: readonly (readonly boolean[])[],
): (Ranks | null)[] {
  const known = [...means.keys()].filter((index) => means[index] !== null);
  return means.map((mean, player) => {
    if (mean === null) return null;
    const apart = known.filter((other) => significant[player]?.[other]);
    const ahead = apart.filter((other) => (means[other] ?? 0) > mean).length;
    return { best: 1 + ahead, worst: known.length - (apart.length - ahead) };
  });
}
