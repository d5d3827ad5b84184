import { createHash } from 'node:crypto';
import { seededRandom } from '@husky/estimate/random';
import { PairCounts } from '@husky/match/plan-tables';
import { tableSize } from './job.ts';

/** Returns every combination of six of `players` (6 to 20) once, in lexicographic order. */
export function allBlocks(players: number): number[][] {
  return Array.from({ length: choose(players, tableSize) }, (_, rank) => combinationAt(rank, players, tableSize));
}

/**
 * Returns `count` blocks of six among `players` (6 to 20), in which players and pairs occur nearly equally often: repetitions
 * of a balanced design, each with the players renumbered, then blocks from a local search. In the repetitions every pair
 * occurs equally often; `designCounts` returns what the search achieved. Deterministic.
 */
export function balancedBlocks(players: number, count: number): number[][] {
  const random = seededRandom(players * 1_000_003 + count);
  const complete = balancedDesign(players);
  const blocks: number[][] = [];
  while (blocks.length + complete.length <= count) {
    const renumbered = shuffled(range(players), random);
    blocks.push(...complete.map((block) => block.map((point) => renumbered[point] ?? 0)));
  }
  return [...blocks, ...searchBlocks(players, count - blocks.length, random)];
}

/**
 * Returns the blocks and their players in orders drawn from `seed`, and the players renumbered by it. Without a drawn order a player
 * would sit directly behind the same opponent in every match, and a stopping rule would see its opponents one after the other.
 */
export function drawnBlocks(blocks: readonly (readonly number[])[], players: number, seed: string): number[][] {
  const random = seededRandom(createHash('sha256').update(seed).digest().readInt32LE());
  const renumbered = shuffled(range(players), random);
  return shuffled(blocks, random).map((block) =>
    shuffled(
      block.map((point) => renumbered[point] ?? 0),
      random,
    ),
  );
}

/** Returns the seats of rotation `rotation` (0 to 5): the player of seat s moves to seat s + rotation, modulo six. */
export function rotated<T>(seats: readonly T[], rotation: number): T[] {
  const from = seats.length - (rotation % seats.length);
  return [...seats.slice(from), ...seats.slice(0, from)];
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** Fisher-Yates. */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const result = [...values];
  for (let remaining = result.length; remaining > 1; remaining--) {
    const drawn = Math.floor(random() * remaining);
    [result[remaining - 1], result[drawn]] = [result[drawn] as T, result[remaining - 1] as T];
  }
  return result;
}

/** Exchanges that the search tries for each block, and its first and last temperature in units of the cost. */
const triesPerBlock = 1500;
const temperatures = { first: 2.5, last: 0.25 };
/** Weight of the players' counts in the cost; the weight of the pairs' counts is 1. */
const playerWeight = 2;

/**
 * Searches for blocks by simulated annealing: exchanges of a player of a block with one outside. The cost is the sum of the
 * squares of the pairs' counts, and that of the players' counts times `playerWeight`; it is minimal when all are equal.
 */
function searchBlocks(players: number, count: number, random: () => number): number[][] {
  if (count === 0) return [];
  const counts = new PairCounts(players);
  const blocks: number[][] = [];
  for (let n = 0; n < count; n++) {
    const drawn = shuffled(range(players), random);
    const block = drawn.sort((one, other) => counts.of(one, one) - counts.of(other, other)).slice(0, tableSize);
    counts.add(block);
    blocks.push(block);
  }
  const tries = triesPerBlock * Math.max(count, 20);
  for (let n = 0; n < tries; n++) {
    const block = blocks[Math.floor(random() * count)] as number[];
    const place = Math.floor(random() * tableSize);
    const joining = Math.floor(random() * players);
    const leaving = block[place] as number;
    if (block.includes(joining)) continue;
    const temperature = temperatures.first * (temperatures.last / temperatures.first) ** (n / tries);
    const change = changeOfCost(counts, block, leaving, joining);
    if (change > 0 && random() >= Math.exp(-change / temperature)) continue;
    counts.add(block, -1);
    block[place] = joining;
    counts.add(block);
  }
  return blocks;
}

/** Uses (n + 1)^2 + (m - 1)^2 - n^2 - m^2 = 2 (n - m + 1) for each count n that grows and m that shrinks. */
function changeOfCost(counts: PairCounts, block: readonly number[], leaving: number, joining: number): number {
  let change = playerWeight * 2 * (counts.of(joining, joining) - counts.of(leaving, leaving) + 1);
  for (const other of block) {
    if (other !== leaving) change += 2 * (counts.of(joining, other) - counts.of(leaving, other) + 1);
  }
  return change;
}

/**
 * Balanced incomplete block designs with blocks of six: every pair of players is in `pairs` blocks. Each design is developed
 * from base blocks: point p of a full cycle of `cycle` points moves to the next point of its cycle, the others stay. The base
 * blocks of 12, 13 and 19 points are classical (quadratic and sextic residues, with infinity); 9 points: complements of the
 * lines of the affine plane of order 3; 11: complement of the biplane of quadratic residues; 17: one block and its multiples.
 * The others were found by hill climbing over base blocks. block-design.test.ts counts every pair.
 */
interface BaseBlocks {
  readonly cycle: number;
  readonly base: readonly (readonly number[])[];
}

const designs: Readonly<Record<number, BaseBlocks>> = {
  6: parse(1, '0 1 2 3 4 5'),
  7: parse(7, '0 1 2 3 4 5'),
  8: parse(7, '1 2 3 4 5 7, 1 2 4 5 6 7, 1 2 3 4 6 7, 0 1 2 3 4 5'),
  9: parse(
    1,
    '3 4 5 6 7 8, 0 1 2 6 7 8, 0 1 2 3 4 5, 1 2 4 5 7 8',
    '0 2 3 5 6 8, 0 1 3 4 6 7, 1 2 3 5 6 7, 0 2 3 4 7 8',
    '0 1 4 5 6 8, 1 2 3 4 6 8, 0 2 4 5 6 7, 0 1 3 5 7 8',
  ),
  10: parse(5, '0 4 5 7 8 9, 0 1 2 4 6 8, 1 2 4 7 8 9'),
  11: parse(11, '0 2 6 7 8 10'),
  12: parse(11, '1 3 4 5 9 11, 0 2 6 7 8 10'),
  13: parse(13, '1 3 4 9 10 12, 2 5 6 7 8 11'),
  14: parse(
    13,
    '1 3 8 11 12 13, 0 2 4 5 6 7, 1 2 5 6 11 12, 1 3 6 8 9 13',
    '0 1 4 8 12 13, 1 5 8 10 11 12, 0 1 2 7 9 10',
  ),
  15: parse(7, '0 2 6 7 11 12, 0 1 3 4 7 14, 0 2 5 10 11 13, 5 7 8 9 12 14, 0 1 6 8 9 13'),
  16: parse(8, '2 4 9 10 12 13, 1 4 5 6 8 10'),
  17: { cycle: 17, base: multiples([0, 1, 2, 4, 8, 13], 17) },
  18: parse(17, '0 3 6 12 13 14, 1 3 12 13 16 17, 2 3 7 8 10 12'),
  19: parse(19, '1 7 8 11 12 18, 2 3 5 14 16 17, 4 6 9 10 13 15'),
  20: parse(
    19,
    '4 9 12 13 15 17, 0 2 9 11 16 19, 1 2 8 11 16 18, 2 4 5 8 9 14, 0 3 12 14 15 19',
    '2 8 12 13 14 19, 3 9 13 14 15 17, 5 8 9 12 16 18, 0 1 6 7 8 16, 0 8 11 13 14 15',
  ),
};

/** Returns the smallest known design with blocks of six in which every pair of `players` (6 to 20) meets equally often. Throws RangeError. */
export function balancedDesign(players: number): number[][] {
  const design = designs[players];
  if (!design) throw new RangeError(`no balanced design of ${players} players is known`);
  const { cycle, base } = design;
  const movingPoints = players - (players % cycle);
  const next = (point: number, steps: number) =>
    point < movingPoints ? point - (point % cycle) + (((point % cycle) + steps) % cycle) : point;
  return base.flatMap((block) =>
    Array.from({ length: cycle }, (_, steps) => block.map((point) => next(point, steps)).sort((a, b) => a - b)),
  );
}

/** Multiplies a block by 1 to (prime - 1) / 2. Together, the differences of these blocks are all non-zero residues equally often. */
function multiples(block: readonly number[], prime: number): number[][] {
  return Array.from({ length: (prime - 1) / 2 }, (_, n) => block.map((point) => (point * (n + 1)) % prime));
}

function parse(cycle: number, ...blocks: string[]): BaseBlocks {
  const base = blocks.flatMap((line) => line.split(', ')).map((block) => block.split(' ').map(Number));
  return { cycle, base };
}

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
