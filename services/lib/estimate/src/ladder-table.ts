/** A bot that could sit at the next table. */
export interface LadderCandidate {
  readonly player: string;
  /** At most one bot of an owner sits at a table. Null: a house bot, which fills the table when others are missing. */
  readonly owner: string | null;
  /** Sets of this version, also those that are being played. */
  readonly sets: number;
  /** When its last set began, in milliseconds; null: never. */
  readonly lastSetAt: number | null;
  /** Its rating and half the width of its interval. */
  readonly rating: number;
  readonly half: number;
}

/** Share of tables that begin with the bot that has waited longest, among opponents by chance. */
export const randomShare = 0.25;
/** Opponents are drawn among this number of neighbours in rating. */
export const neighbours = 15;

/**
 * Returns the players of the next table: six, or fewer if there are too few candidates; none without a bot that is not of the house. With a
 * probability of `randomShare` the one that has waited longest sits with opponents by chance; else the one with the widest interval with
 * the widest of its neighbours in rating. So nobody starves: among n candidates, each begins a table at least once in n / randomShare tables on average.
 */
export function chooseTable(candidates: readonly LadderCandidate[], random: () => number, size = 6): string[] {
  const bots = candidates.filter(({ owner }) => owner !== null);
  if (bots.length === 0) return [];
  const byChance = random() < randomShare;
  const first = bots.reduce((best, bot) => ((byChance ? waitsLonger(bot, best) : bot.half > best.half) ? bot : best));
  const others = new Map<string, LadderCandidate>();
  // One for each owner: by chance, or the nearest.
  const order = byChance ? shuffled(bots, random) : bots.toSorted((a, b) => distance(a, first) - distance(b, first));
  for (const bot of order)
    if (bot.owner !== first.owner && !others.has(bot.owner as string)) others.set(bot.owner as string, bot);
  const near = [...others.values()].slice(0, byChance ? size - 1 : neighbours);
  const opponents = drawn(near, size - 1, random);
  const house = candidates.filter(({ owner }) => owner === null);
  return [first, ...opponents, ...shuffled(house, random)].slice(0, size).map(({ player }) => player);
}

const waitsLonger = (one: LadderCandidate, other: LadderCandidate) =>
  (one.lastSetAt ?? Number.NEGATIVE_INFINITY) < (other.lastSetAt ?? Number.NEGATIVE_INFINITY);

const distance = (one: LadderCandidate, other: LadderCandidate) => Math.abs(one.rating - other.rating);

/** Draws without replacement, with probabilities in proportion to the variances. */
function drawn(from: readonly LadderCandidate[], count: number, random: () => number): LadderCandidate[] {
  // Efraimidis and Spirakis (2006): the largest of u^(1 / weight).
  return from
    .map((bot) => ({ bot, key: Math.log(1 - random()) / Math.max(Number.MIN_VALUE, bot.half ** 2) }))
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ bot }) => bot);
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
