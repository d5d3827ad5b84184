import type { Card } from '@husky/holdem/card';
import { HOLE_TENTHS } from './luck-table.ts';

/** Number of classes of hole cards: 13 pairs, 78 suited and 78 unsuited combinations of ranks. */
export const HOLE_CLASSES = 169;

/**
 * Returns the class of two hole cards, 0..168: a cell of the 13 by 13 table of ranks from two to ace, with pairs on the diagonal,
 * suited cards above it (row lower than column) and unsuited ones below.
 */
export function holeClass(first: Card, second: Card): number {
  const [high, low] = first >> 2 > second >> 2 ? [first >> 2, second >> 2] : [second >> 2, first >> 2];
  return (first & 3) === (second & 3) ? low * 13 + high : high * 13 + low;
}

/** Returns how many of the 1,326 pairs of cards belong to a class: 6 for a pair, 4 suited, 12 unsuited. */
export function combinationsOf(hole: number): number {
  const [row, column] = [Math.floor(hole / 13), hole % 13];
  if (row === column) return 6;
  return row < column ? 4 : 12;
}

/** Big blinds by number of players, position from the small blind and class; the mean over the 1,326 pairs of cards is 0. */
const HOLE_VALUES = HOLE_TENTHS.map((positions) => positions.map(centre));

/** Mean square of the values by number of players and position. */
const HOLE_SQUARES = HOLE_VALUES.map((positions) =>
  positions.map((values) => values.reduce((sum, value, hole) => sum + value ** 2 * combinationsOf(hole), 0) / 1326),
);

function centre(row: string): number[] {
  const tenths = row.split(' ').map(Number);
  const mean = tenths.reduce((sum, value, hole) => sum + value * combinationsOf(hole), 0) / 1326;
  return tenths.map((value) => (value - mean) / 10);
}

/** Stack, in big blinds, from which on hole cards have their full value. A shorter stack has less to win and to lose. */
const FULL_STACK = 50;

/** Returns the part of the value of hole cards that counts with these effective chips, 0..1. */
export function stackScale(chips: number, bigBlind: number): number {
  return Math.min(1, chips / (FULL_STACK * bigBlind));
}

/**
 * Returns the value of the hole cards by seat in chips, less the mean value of the other players' hole cards, and `squares`, about the
 * expected square of that. `seats` are the players dealt in, in the order from the small blind; `empty` is 1 if that is dead, so that the
 * first of `seats` is the big blind. The expectation over the deal is 0 for each seat, and so is the sum over the seats.
 */
export function holeTerms(
  deck: ArrayLike<Card>,
  seats: readonly number[],
  stacks: readonly number[],
  bigBlind: number,
  empty: 0 | 1,
): { readonly chips: number[]; readonly squares: number[] } {
  const players = seats.length + empty - 2;
  const table = HOLE_VALUES[players] as readonly (readonly number[])[];
  const chips = stacks.map(() => 0);
  const squares = stacks.map(() => 0);
  let [sum, squareSum] = [0, 0];
  for (const [position, seat] of seats.entries()) {
    let largestOther = 0;
    for (const other of seats) if (other !== seat) largestOther = Math.max(largestOther, stacks[other] as number);
    const scale = stackScale(Math.min(stacks[seat] as number, largestOther), bigBlind) * bigBlind;
    const hole = holeClass(deck[2 * seat] as Card, deck[2 * seat + 1] as Card);
    const value = ((table[position + empty] as readonly number[])[hole] as number) * scale;
    const square = ((HOLE_SQUARES[players] as readonly number[])[position + empty] as number) * scale ** 2;
    chips[seat] = value;
    squares[seat] = square;
    sum += value;
    squareSum += square;
  }
  const others = seats.length - 1;
  for (const seat of seats) {
    const [own, square] = [chips[seat] as number, squares[seat] as number];
    chips[seat] = own - (sum - own) / others;
    squares[seat] = square + (squareSum - square) / others ** 2;
  }
  return { chips, squares };
}
