import { describe, expect, it } from 'vitest';
import { buildTables, HASH_BITS, RANK_HASHES, type RankTable, ROW_BITS, ROW_MASK } from '../src/rank-tables.ts';
import { fiveValue } from './slow-value.ts';

/** Returns the ranks of every hand of `count` cards, in ascending order, with at most `same` cards of a rank. */
function handsOf(count: number, same: number): number[][] {
  const hands: number[][] = [];
  const extend = (ranks: number[], from: number): void => {
    if (ranks.length === count) hands.push(ranks);
    else
      for (let rank = from; rank < 13; rank++)
        if (ranks.filter((one) => one === rank).length < same) extend([...ranks, rank], rank);
  };
  extend([], 0);
  return hands;
}

const without = (ranks: readonly number[], index: number): number[] => ranks.toSpliced(index, 1);

/** Returns the values of the best five cards of all hands of 5, 6 and 7 cards, by the hand's ranks. */
function bestValues(same: number, flush: boolean): Map<string, number>[] {
  const five = new Map(handsOf(5, same).map((ranks) => [ranks.join(), fiveValue(ranks, flush)]));
  const extended = (before: Map<string, number>, count: number) =>
    new Map(
      handsOf(count, same).map((ranks) => [
        ranks.join(),
        Math.max(...ranks.map((_, index) => before.get(without(ranks, index).join()) as number)),
      ]),
    );
  const six = extended(five, 6);
  return [five, six, extended(six, 7)];
}

const byRanks = bestValues(4, false);
const ofFlushes = bestValues(1, true);
const [five, flushes] = [byRanks[0] as Map<string, number>, ofFlushes[0] as Map<string, number>];
const ordered = [...new Set([...five.values(), ...flushes.values()])].sort((a, b) => a - b);
const classOf = new Map(ordered.map((value, index) => [value, index + 1]));

function classIn({ offsets, values }: RankTable, ranks: string): number | undefined {
  const sum = ranks.split(',').reduce((hashes, rank) => hashes + (RANK_HASHES[Number(rank)] as number), 0);
  const hash = sum % 2 ** HASH_BITS;
  return values[(offsets[hash >>> ROW_BITS] as number) + (hash & ROW_MASK)];
}

describe('rank tables', () => {
  const expected = (values: ReadonlyMap<string, number>) => [...values.values()].map((value) => classOf.get(value));

  it('number the 7,462 classes of five-card hands from 1, the worst', () => {
    const { packed } = buildTables();
    expect(packed).toHaveLength(ordered.length + 1);
    expect(ordered).toHaveLength(7462);
    expect([...packed]).toEqual([...packed].sort((a, b) => a - b));
  });

  it('pack the category and the ranks that decide, the most important first; checked for the best hand of each category', () => {
    const { packed } = buildTables();
    const best = [1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452, 7462];
    expect(best.map((found) => (packed[found] as number).toString(16).padStart(6, '0'))).toEqual([
      '0cba97',
      '1cba90',
      '2cba00',
      '3cba00',
      '4c0000',
      '5cba97',
      '6cb000',
      '7cb000',
      '8c0000',
    ]);
  });

  it('give the class of the best five for the ranks of every hand of 5, 6 and 7 cards without a flush', () => {
    const { five, six, seven } = buildTables();
    for (const [index, table] of [five, six, seven].entries()) {
      const values = byRanks[index] as Map<string, number>;
      expect([...values.keys()].map((ranks) => classIn(table, ranks))).toEqual(expected(values));
    }
  });

  it('give the class of every flush of 5, 6 and 7 cards, and none to fewer or more', () => {
    const { flushes } = buildTables();
    const masks = new Map(
      ofFlushes.flatMap((values) =>
        [...values].map(([ranks, value]) => [
          ranks.split(',').reduce((mask, rank) => mask | (1 << Number(rank)), 0),
          classOf.get(value),
        ]),
      ),
    );
    expect([...flushes]).toEqual(Array.from({ length: 1 << 13 }, (_, mask) => masks.get(mask) ?? 0));
  });
});
