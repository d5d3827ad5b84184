const letters = 'ABCDEFGHIJKLMNOPQRST';

/** A table of a plan's text: places in its roster, letters if the roster has at most 20 players. */
export type PlanTable = string | readonly number[];

/** Returns tables as a plan's text has them. `players`: of its roster. */
export const writeTables = (tables: readonly (readonly number[])[], players: number): readonly PlanTable[] =>
  players > letters.length ? tables : tables.map((table) => table.map((place) => letters[place]).join(''));

/** Returns the places of a table of a plan's text. */
export const readTable = (table: PlanTable): readonly number[] =>
  typeof table === 'string' ? [...table].map((letter) => letters.indexOf(letter)) : table;

/** How often players and pairs of players occur in the blocks (tables) of a design. */
export interface DesignCounts {
  readonly blocksOfPlayer: { readonly min: number; readonly max: number };
  readonly blocksOfPair: { readonly min: number; readonly max: number };
}

export function designCounts(players: number, blocks: readonly (readonly number[])[]): DesignCounts {
  const counts = new PairCounts(players);
  for (const block of blocks) counts.add(block);
  return { blocksOfPlayer: counts.ofPlayers(), blocksOfPair: counts.ofPairs() };
}

/** Counts in how many blocks each player and each pair of players occurs. */
export class PairCounts {
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
    const ofPairs = range(this.#players)
      .slice(1)
      .map((one) => extremes(range(one).map((other) => this.of(one, other))));
    return { min: extremes(ofPairs.map(({ min }) => min)).min, max: extremes(ofPairs.map(({ max }) => max)).max };
  }
}

function extremes(values: readonly number[]): { min: number; max: number } {
  return { min: Math.min(...values), max: Math.max(...values) };
}

const range = (length: number) => Array.from({ length }, (_, index) => index);
