import { createHash } from 'node:crypto';
import { seededRandom } from '@husky/estimate/random';
import { balancedDesign } from './balanced-designs.ts';
import { choose, combinationAt } from './combinations.ts';
import { tableSize } from './job.ts';

/** How often players and pairs of players occur in the blocks of a design. */
export interface DesignCounts {
  readonly blocksOfPlayer: { readonly min: number; readonly max: number };
  readonly blocksOfPair: { readonly min: number; readonly max: number };
}

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

export function designCounts(players: number, blocks: readonly (readonly number[])[]): DesignCounts {
  const counts = new PairCounts(players);
  for (const block of blocks) counts.add(block);
  return { blocksOfPlayer: counts.ofPlayers(), blocksOfPair: counts.ofPairs() };
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** Fisher-Yates. */
function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const result = [...values];
  for (let remaining = result.length; remaining > 1; remaining--) {
    const drawn = Math.floor(random() * remaining);
    [result[remaining - 1], result[drawn]] = [result[drawn] as T, result[remaining - 1] as T];
  }
  return result;
}

/** Counts in how many blocks each player and each pair of players occurs. */
class PairCounts {
  readonly #players: number;
  readonly #counts: Int32Array;

  constructor(players: number) {
    this.#players = players;
    this.#counts = new Int32Array(players * players);
  }

  add(block: readonly number[], times = 1): void {
    for (const one of block) for (const other of block) this.#add(one, other, times);
  }

  #add(one: number, other: number, times: number): void {
    const index = one * this.#players + other;
    this.#counts[index] = this.of(one, other) + times;
  }

  /** Blocks that contain both; of one player: the blocks that contain it. */
  of(one: number, other: number): number {
    return this.#counts[one * this.#players + other] ?? 0;
  }

  ofPlayers(): { min: number; max: number } {
    return extremes(range(this.#players).map((player) => this.of(player, player)));
  }

  ofPairs(): { min: number; max: number } {
    return extremes(range(this.#players).flatMap((one) => range(one).map((other) => this.of(one, other))));
  }
}

function extremes(values: readonly number[]): { min: number; max: number } {
  return { min: Math.min(...values), max: Math.max(...values) };
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
