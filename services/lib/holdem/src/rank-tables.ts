// A hand's class is looked up by the multiset of its ranks or, for a flush, by the set of ranks of its suit. Classes are 1..7462
// (the number of classes of five-card hands): equal hands share one, better hands have a higher one.

/**
 * One key per rank, deuce to ace, such that any two different multisets of exactly 7 ranks (at most 4 of each) have different
 * sums; the same then holds for 5 and 6. The smallest such sequence, found by bench/find-rank-keys.ts. Every sum is below 2^23.
 */
const RANK_KEYS: readonly number[] = [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181];

/** Packed hands: category << 20 and up to five ranks of 4 bits, the most important first. */
export const CATEGORY_SHIFT = 20;
const STRAIGHT_FLUSH = 8;
const WHEEL = 0b1_0000_0000_1111;

/** Returns the highest rank of a straight, 0 without one: a straight reaches at least the five, rank 3. */
function straightTop(mask: number): number {
  const runs = mask & (mask << 1) & (mask << 2) & (mask << 3) & (mask << 4);
  if (runs !== 0) return 31 - Math.clz32(runs);
  return (mask & WHEEL) === WHEEL ? 3 : 0;
}

// Appends the `count` highest ranks of a mask to `packed`, 4 bits each.
function packTop(packed: number, mask: number, count: number): number {
  let rest = mask;
  for (let index = 0; index < count; index++) {
    const rank = 31 - Math.clz32(rest);
    packed = (packed << 4) | rank;
    rest &= ~(1 << rank);
  }
  return packed;
}

const pack = (category: number, ranks: number, used: number): number =>
  (category << CATEGORY_SHIFT) | (ranks << (4 * (5 - used)));

function packFlush(mask: number): number {
  const top = straightTop(mask);
  return top !== 0 ? pack(STRAIGHT_FLUSH, top, 1) : pack(5, packTop(0, mask, 5), 5);
}

// Masks of the ranks held at least once, twice, three and four times.
function packRanks(ones: number, twos: number, threes: number, fours: number): number {
  if (fours !== 0) {
    const rank = 31 - Math.clz32(fours);
    return pack(7, packTop(rank, ones & ~(1 << rank), 1), 2);
  }
  const triple = 31 - Math.clz32(threes);
  const pairs = threes === 0 ? twos : twos & ~(1 << triple);
  if (threes !== 0 && pairs !== 0) return pack(6, packTop(triple, pairs, 1), 2);
  const top = straightTop(ones);
  if (top !== 0) return pack(4, top, 1);
  if (threes !== 0) return pack(3, packTop(triple, ones & ~(1 << triple), 2), 3);
  if (pairs === 0) return pack(0, packTop(0, ones, 5), 5);
  const high = 31 - Math.clz32(pairs);
  const lower = pairs & ~(1 << high);
  if (lower === 0) return pack(1, packTop(high, ones & ~(1 << high), 3), 4);
  const low = 31 - Math.clz32(lower);
  return pack(2, packTop((high << 4) | low, ones & ~(1 << high) & ~(1 << low), 1), 3);
}

type Visit = (key: number, packed: number) => void;

// Visits every multiset of `left` more ranks from `rank` on, at most four of each.
function visitRanks(
  left: number,
  rank: number,
  key: number,
  ones: number,
  twos: number,
  threes: number,
  fours: number,
  visit: Visit,
): void {
  if (left === 0) {
    visit(key, packRanks(ones, twos, threes, fours));
    return;
  }
  if (left > 4 * (13 - rank)) return;
  const bit = 1 << rank;
  const step = RANK_KEYS[rank] as number;
  visitRanks(left, rank + 1, key, ones, twos, threes, fours, visit);
  visitRanks(left - 1, rank + 1, key + step, ones | bit, twos, threes, fours, visit);
  if (left >= 2) visitRanks(left - 2, rank + 1, key + 2 * step, ones | bit, twos | bit, threes, fours, visit);
  if (left >= 3) visitRanks(left - 3, rank + 1, key + 3 * step, ones | bit, twos | bit, threes | bit, fours, visit);
  if (left >= 4)
    visitRanks(left - 4, rank + 1, key + 4 * step, ones | bit, twos | bit, threes | bit, fours | bit, visit);
}

/**
 * A perfect hash of rank sums: the class of `hash` is values[offsets[hash >>> ROW_BITS] + (hash & ROW_MASK)], where hash is the
 * sum of the cards' RANK_HASHES modulo 2^23.
 */
export interface RankTable {
  readonly offsets: Uint16Array;
  readonly values: Uint16Array;
}

export const HASH_BITS = 23;
export const ROW_BITS = 9;
export const ROW_MASK = (1 << ROW_BITS) - 1;
const HASH_MASK = (1 << HASH_BITS) - 1;

// An odd factor permutes the 23-bit sums, so different sums stay different, and spreads them over the rows.
const SPREAD = 0x9e3779b1;
export const RANK_HASHES: readonly number[] = RANK_KEYS.map((key) => Math.imul(key, SPREAD) & HASH_MASK);

// Row displacement: rows of 512 neighbouring hashes, the fullest first, each moved to the first offset where its entries are
// free. A third more room than hands keeps the search short.
function displace(keys: readonly number[], classes: readonly number[]): RankTable {
  const rows: number[][] = Array.from({ length: 1 << (HASH_BITS - ROW_BITS) }, () => []);
  for (const [index, key] of keys.entries()) {
    const hash = Math.imul(key, SPREAD) & HASH_MASK;
    (rows[hash >>> ROW_BITS] as number[]).push(hash & ROW_MASK, classes[index] as number);
  }
  const room = Math.ceil(keys.length * 1.32);
  const offsets = new Uint16Array(rows.length);
  const values = new Uint16Array(room + ROW_MASK);
  const order = rows.map((_, row) => row).sort((a, b) => (rows[b] as number[]).length - (rows[a] as number[]).length);
  let offset = 0;
  for (const row of order) {
    const members = rows[row] as number[];
    // A prime that does not divide `room`, so that every offset is tried.
    while (!fits(values, members, offset)) offset = (offset + 40_009) % room;
    offsets[row] = offset;
    for (let at = 0; at < members.length; at += 2) {
      values[offset + (members[at] as number)] = members[at + 1] as number;
    }
  }
  return { offsets, values };
}

function fits(values: Uint16Array, members: readonly number[], offset: number): boolean {
  for (let at = 0; at < members.length; at += 2) if (values[offset + (members[at] as number)] !== 0) return false;
  return true;
}

export interface Tables {
  /** Packed hand of each class, index 1..7462. */
  readonly packed: Int32Array;
  /** Class of a flush by the mask of its ranks (five or more bits), 0 elsewhere. */
  readonly flushes: Uint16Array;
  readonly five: RankTable;
  readonly six: RankTable;
  readonly seven: RankTable;
}

function collect(count: number): { keys: number[]; hands: number[] } {
  const keys: number[] = [];
  const hands: number[] = [];
  visitRanks(count, 0, 0, 0, 0, 0, 0, (key, packed) => {
    keys.push(key);
    hands.push(packed);
  });
  return { keys, hands };
}

/** Builds all tables; takes some tens of milliseconds. */
export function buildTables(): Tables {
  const flushHands = new Int32Array(1 << 13);
  const distinct = new Set<number>();
  for (let mask = 0; mask < flushHands.length; mask++) {
    let bits = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) bits += 1;
    if (bits < 5 || bits > 7) continue;
    const packed = packFlush(mask);
    flushHands[mask] = packed;
    distinct.add(packed);
  }
  const [five, six, seven] = [collect(5), collect(6), collect(7)];
  for (const hand of five.hands) distinct.add(hand);
  const packed = Int32Array.from([0, ...[...distinct].sort((a, b) => a - b)]);
  const classOf = new Map<number, number>();
  for (const [index, hand] of packed.entries()) classOf.set(hand, index);
  const classes = (hands: number[]): number[] => hands.map((hand) => classOf.get(hand) as number);
  return {
    packed,
    flushes: Uint16Array.from(flushHands, (hand) => classOf.get(hand) ?? 0),
    five: displace(five.keys, classes(five.hands)),
    six: displace(six.keys, classes(six.hands)),
    seven: displace(seven.keys, classes(seven.hands)),
  };
}
