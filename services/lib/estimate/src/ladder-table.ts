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
/** At the other tables, this number of opponents are among the nearest in rating. */
const near = { opponents: 2, among: 16 };

/**
 * Returns the players of the next table: six, or fewer if there are too few candidates; none without a bot that is not of the house. With a
 * probability of `randomShare` the one that has waited longest sits with opponents by chance. Else the one whose set narrows the ranking most sits with
 * two of its 16 neighbours in rating, drawn in proportion to what their sets narrow, and three others by chance: neighbours alone tell little of the rest of
 * the field, and too much of each other's style. So nobody starves: of n bots each begins a table within n / `randomShare` tables on average; a newcomer
 * begins the next three of four.
 */
export function chooseTable(candidates: readonly LadderCandidate[], random: () => number, size = 6): string[] {
  const bots = candidates.filter(({ owner }) => owner !== null);
  if (bots.length === 0) return [];
  const house = shuffled(
    candidates.filter(({ owner }) => owner === null),
    random,
  );
  const byChance = random() < randomShare;
  const weigh = (bot: LadderCandidate) => gainOf(bot, bots);
  const first = byChance ? bots.reduce(longerWaiting) : largest(bots, weigh);
  // One bot of each owner.
  const others = new Map<string | null, LadderCandidate>();
  for (const bot of shuffled(bots, random))
    if (bot.owner !== first.owner && !others.has(bot.owner)) others.set(bot.owner, bot);
  let opponents = [...others.values()];
  if (!byChance) {
    const nearest = opponents.toSorted((a, b) => distance(a, first) - distance(b, first)).slice(0, near.among);
    const neighbours = drawn(nearest, weigh, random).slice(0, near.opponents);
    opponents = [...neighbours, ...opponents.filter((bot) => !neighbours.includes(bot))];
  }
  return [first, ...opponents, ...house].slice(0, size).map(({ player }) => player);
}

/** Returns what the next set is expected to narrow: the places that are open, by its sets, since one more takes a share of 1 / sets off. */
function gainOf({ rating, half, sets }: LadderCandidate, all: readonly LadderCandidate[]): number {
  let places = 0;
  for (const other of all) if (Math.abs(other.rating - rating) <= Math.max(half, other.half)) places += 1;
  return places / (1 + sets);
}

const longerWaiting = (one: LadderCandidate, other: LadderCandidate) =>
  (one.lastSetAt ?? Number.NEGATIVE_INFINITY) <= (other.lastSetAt ?? Number.NEGATIVE_INFINITY) ? one : other;

const distance = (one: LadderCandidate, other: LadderCandidate) => Math.abs(one.rating - other.rating);

/** Returns the bots in the order of draws without replacement, in proportion to their weights. */
function drawn(from: readonly LadderCandidate[], weigh: (bot: LadderCandidate) => number, random: () => number) {
  // Efraimidis and Spirakis, Information Processing Letters 97 (2006).
  return byKey(from, (bot) => -Math.log(1 - random()) / weigh(bot));
}

function largest(bots: readonly LadderCandidate[], weigh: (bot: LadderCandidate) => number): LadderCandidate {
  return byKey(bots, (bot) => -weigh(bot))[0] as LadderCandidate;
}

const shuffled = (bots: readonly LadderCandidate[], random: () => number) => byKey(bots, random);

function byKey(bots: readonly LadderCandidate[], keyOf: (bot: LadderCandidate) => number): LadderCandidate[] {
  return bots
    .map((bot) => ({ bot, key: keyOf(bot) }))
    .sort((a, b) => a.key - b.key)
    .map(({ bot }) => bot);
}
