import { type Card, DECK_SIZE } from './card.ts';
import { buildTables, CATEGORY_SHIFT, RANK_HASHES, type RankTable, ROW_BITS, ROW_MASK } from './rank-tables.ts';

/** Hand categories, worst to best, as `handCategory` numbers them. */
export const CATEGORIES = [
  'High Card',
  'One Pair',
  'Two Pair',
  'Three of a Kind',
  'Straight',
  'Flush',
  'Full House',
  'Four of a Kind',
  'Straight Flush',
] as const;

const tables = buildTables();
const { flushes, packed } = tables;
const { offsets: offsets7, values: values7 } = tables.seven;

// A card's addend has one count (three bits each) of diamonds, clubs and spades in the low 9 bits and the 23-bit hash of its rank
// above them. The carry of the hashes' sum is discarded.
const SUIT_BITS = 9;
const SUIT_MASK = (1 << SUIT_BITS) - 1;
const ADDENDS = Int32Array.from({ length: DECK_SIZE }, (_, card) => {
  const suit = card & 3;
  const suits = suit === 0 ? 0 : 1 << (3 * (suit - 1));
  return ((RANK_HASHES[card >> 2] as number) << SUIT_BITS) | suits;
});

const NO_FLUSH = 4;
// Maps the three suit counts to the suit with five or more cards; the count of hearts is the remainder.
function flushSuits(count: number): Uint8Array {
  return Uint8Array.from({ length: 512 }, (_, counts) => {
    const others = [counts & 7, (counts >> 3) & 7, counts >> 6];
    const hearts = count - others.reduce((sum, held) => sum + held, 0);
    if (hearts >= 5) return 0;
    const suit = others.findIndex((held) => held >= 5);
    return suit < 0 ? NO_FLUSH : suit + 1;
  });
}
const suits7 = flushSuits(7);

/**
 * Returns the value of the best five of seven distinct cards: 1..7462, higher is better, equal is a tie. Fast path without checks.
 */
export function evaluate7(a: Card, b: Card, c: Card, d: Card, e: Card, f: Card, g: Card): number {
  const sum =
    ((ADDENDS[a] as number) +
      (ADDENDS[b] as number) +
      (ADDENDS[c] as number) +
      (ADDENDS[d] as number) +
      (ADDENDS[e] as number) +
      (ADDENDS[f] as number) +
      (ADDENDS[g] as number)) |
    0;
  const suit = suits7[sum & SUIT_MASK] as number;
  if (suit === NO_FLUSH) {
    const hash = sum >>> SUIT_BITS;
    return values7[(offsets7[hash >>> ROW_BITS] as number) + (hash & ROW_MASK)] as number;
  }
  let mask = 0;
  if ((a & 3) === suit) mask |= 1 << (a >> 2);
  if ((b & 3) === suit) mask |= 1 << (b >> 2);
  if ((c & 3) === suit) mask |= 1 << (c >> 2);
  if ((d & 3) === suit) mask |= 1 << (d >> 2);
  if ((e & 3) === suit) mask |= 1 << (e >> 2);
  if ((f & 3) === suit) mask |= 1 << (f >> 2);
  if ((g & 3) === suit) mask |= 1 << (g >> 2);
  return flushes[mask] as number;
}

const tablesByCount: ReadonlyMap<number, { suits: Uint8Array; table: RankTable }> = new Map([
  [5, { suits: flushSuits(5), table: tables.five }],
  [6, { suits: flushSuits(6), table: tables.six }],
]);

/**
 * Returns the value of the best five of the first `count` (5..7) of distinct cards: 1..7462, comparable across counts; higher is
 * better, equal is a tie. Throws RangeError for another count.
 */
export function evaluate(cards: ArrayLike<Card>, count: number = cards.length): number {
  if (count === 7) {
    return evaluate7(
      cards[0] as Card,
      cards[1] as Card,
      cards[2] as Card,
      cards[3] as Card,
      cards[4] as Card,
      cards[5] as Card,
      cards[6] as Card,
    );
  }
  const found = tablesByCount.get(count);
  if (found === undefined) throw new RangeError(`a hand is evaluated from 5 to 7 cards, not ${count}`);
  let sum = 0;
  for (let index = 0; index < count; index++) sum = (sum + (ADDENDS[cards[index] as Card] as number)) | 0;
  const suit = found.suits[sum & SUIT_MASK] as number;
  if (suit === NO_FLUSH) {
    const hash = sum >>> SUIT_BITS;
    return found.table.values[(found.table.offsets[hash >>> ROW_BITS] as number) + (hash & ROW_MASK)] as number;
  }
  let mask = 0;
  for (let index = 0; index < count; index++) {
    const card = cards[index] as Card;
    if ((card & 3) === suit) mask |= 1 << (card >> 2);
  }
  return flushes[mask] as number;
}

/** Returns the category of a value, an index into CATEGORIES: 0 (high card) .. 8 (straight flush). Throws RangeError. */
export function handCategory(value: number): number {
  const hand = packed[value];
  if (hand === undefined || value < 1) throw new RangeError(`${value} is no hand value`);
  return hand >> CATEGORY_SHIFT;
}

const NAMES = [
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Jack',
  'Queen',
  'King',
  'Ace',
] as const;

/** Returns the English name of a value, such as 'Two Pair, Kings and Tens'. Throws RangeError for a number that is no value. */
export function describeValue(value: number): string {
  const category = handCategory(value);
  const hand = packed[value] as number;
  const rank = (index: number): string => NAMES[(hand >> (16 - 4 * index)) & 15] as string;
  const plural = (index: number): string => (rank(index) === 'Six' ? 'Sixes' : `${rank(index)}s`);
  const name = CATEGORIES[category] as string;
  switch (category) {
    case 1:
    case 3:
    case 7:
      return `${name}, ${plural(0)}`;
    case 2:
      return `${name}, ${plural(0)} and ${plural(1)}`;
    case 4:
    case 5:
      return `${name}, ${rank(0)} high`;
    case 6:
      return `${name}, ${plural(0)} over ${plural(1)}`;
    case 8:
      return rank(0) === 'Ace' ? 'Royal Flush' : `${name}, ${rank(0)} high`;
    default:
      return `${name}, ${rank(0)}`;
  }
}

const ranksOf = (value: number): number[] =>
  [0, 1, 2, 3, 4].map((index) => ((packed[value] as number) >> (16 - 4 * index)) & 15);

/**
 * Returns the names of hands that are shown against each other. Hands of the same name and different values have the kickers that
 * decide: 'One Pair, Threes, King kicker'. Throws RangeError for a number that is no value.
 */
export function describeShown(values: readonly number[]): string[] {
  const names = values.map(describeValue);
  return values.map((value, own) => {
    const name = names[own] as string;
    const ranks = ranksOf(value);
    const deciding = values
      .filter((other, index) => other !== value && names[index] === name)
      .map((other) => ranksOf(other).findIndex((rank, index) => rank !== ranks[index]));
    if (deciding.length === 0) return name;
    const category = handCategory(value);
    const text = (index: number): string => NAMES[ranks[index] as number] as string;
    const places = [...new Set(deciding)].sort((a, b) => a - b);
    if (category === 5) {
      const high = ranks.slice(0, Math.max(...places) + 1).map((_, index) => text(index));
      return `${CATEGORIES[category]}, ${high.join('-')} high`;
    }
    const kickers = places.map(text);
    return `${name}, ${kickers.join(' and ')} kicker${kickers.length > 1 ? 's' : ''}`;
  });
}

/** Returns the English name of the best hand of 5 to 7 cards. Throws RangeError for another count. */
export function describeHand(cards: ArrayLike<Card>): string {
  return describeValue(evaluate(cards));
}
