import { createHash } from 'node:crypto';
import { designCounts } from '@husky/match/plan-tables';
import { describe, expect, test } from 'vitest';
import {
  allBlocks,
  balancedBlocks,
  balancedDesign,
  choose,
  combinationAt,
  drawnBlocks,
  rotated,
} from './block-design.ts';

const playerCounts = Array.from({ length: 15 }, (_, index) => index + 6);
const spread = ({ min, max }: { min: number; max: number }) => max - min;

describe.each(playerCounts)('among %i players', (players) => {
  test('every pair meets equally often in the balanced design', () => {
    const blocks = balancedDesign(players);
    for (const block of blocks) expect(new Set(block).size).toBe(6);
    const { blocksOfPlayer, blocksOfPair } = designCounts(players, blocks);
    expect(spread(blocksOfPlayer)).toBe(0);
    expect(spread(blocksOfPair)).toBe(0);
    // Identities of block designs: v r = b k and (v - 1) lambda = (k - 1) r.
    expect(players * blocksOfPlayer.min).toBe(blocks.length * 6);
    expect((players - 1) * blocksOfPair.min).toBe(5 * blocksOfPlayer.min);
  });

  test('any number of blocks differs by at most one block of a player and by at most four of a pair', () => {
    const complete = balancedDesign(players).length;
    const samples = [1, 2, 3, 7, complete - 1, complete, complete + 1, 2 * complete, 2 * complete + 5];
    for (const count of samples.filter((one) => one > 0)) {
      const blocks = balancedBlocks(players, count);
      expect(blocks).toHaveLength(count);
      for (const block of blocks) {
        expect(new Set(block).size).toBe(6);
        expect(block.every((point) => point >= 0 && point < players)).toBe(true);
      }
      const { blocksOfPlayer, blocksOfPair } = designCounts(players, blocks);
      expect(spread(blocksOfPlayer)).toBeLessThanOrEqual(1);
      expect(spread(blocksOfPair)).toBeLessThanOrEqual(count % complete === 0 ? 0 : 4);
    }
  });
});

// Pages of a stored batch compute its design again: its arguments must result in the same blocks in every release.
test.each([
  [14, 40, 'e68b9a1286853dd7dc3133280530ea2f196f40c19aac499f3cf3632472026b1e'],
  [7, 3, '87f5c4c039dcf26376715f80a64c8d0c573d98b01a4f12f804b65e646d7144bc'],
  [20, 100, 'bb79fb7c4fd8b92db41696aee9fc330fc4562d8383991d474bea585d1acbbc78'],
  [9, 40, '41efcbc171521ab81ab53bcd8d8294dd77959fb84fe77253d17959df6c5f13ba'],
])('%i players in %i blocks are the blocks of earlier releases', (players, count, digest) => {
  const bytes = Uint8Array.from(balancedBlocks(players, count).flat());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
});

test('the balanced designs are those of earlier releases, also in the order of their players', () => {
  const bytes = Uint8Array.from(playerCounts.flatMap((players) => balancedDesign(players).flat()));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '66ae5b1b8c56b32fb10605f54f249338ee9b8760fa8f58f7c5524f13b19182a8',
  );
});

test.each([5, 21])('no balanced design of %i players is known', (players) => {
  expect(() => balancedDesign(players)).toThrow(new RangeError(`no balanced design of ${players} players is known`));
});

test('counts the rarest and the most frequent player and pair', () => {
  const blocks = [
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 6],
    [0, 1, 2, 3, 5, 6],
  ];
  expect(designCounts(7, blocks)).toEqual({ blocksOfPlayer: { min: 2, max: 3 }, blocksOfPair: { min: 1, max: 3 } });
});

test('all combinations are a balanced design', () => {
  expect(allBlocks(9)).toHaveLength(84);
  const { blocksOfPlayer, blocksOfPair } = designCounts(9, allBlocks(9));
  expect(blocksOfPlayer).toEqual({ min: 56, max: 56 });
  expect(blocksOfPair).toEqual({ min: 35, max: 35 });
});

test('seating the blocks keeps the counts and is deterministic for a seed', () => {
  const blocks = balancedBlocks(10, 25);
  const seated = drawnBlocks(blocks, 10, 'a batch');
  expect(designCounts(10, seated)).toEqual(designCounts(10, blocks));
  expect(seated).toEqual(drawnBlocks(blocks, 10, 'a batch'));
  expect(seated).not.toEqual(drawnBlocks(blocks, 10, 'another batch'));
});

test('over six rotations every player sits in every seat once', () => {
  const rotations = [0, 1, 2, 3, 4, 5].map((rotation) => rotated(['a', 'b', 'c', 'd', 'e', 'f'], rotation));
  expect(rotations[0]).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(rotations[1]).toEqual(['f', 'a', 'b', 'c', 'd', 'e']);
  for (let seat = 0; seat < 6; seat++) expect(new Set(rotations.map((seats) => seats[seat])).size).toBe(6);
});

test('counts combinations', () => {
  expect(choose(6, 6)).toBe(1);
  expect(choose(13, 6)).toBe(1716);
  expect(choose(20, 6)).toBe(38_760);
  expect(choose(5, 6)).toBe(0);
  expect(choose(5, -1)).toBe(0);
  expect(choose(5, 0)).toBe(1);
  expect(choose(5, 5)).toBe(1);
});

test('numbers every combination once, in lexicographic order', () => {
  const all = Array.from({ length: choose(8, 6) }, (_, rank) => combinationAt(rank, 8, 6).join(' '));
  expect(new Set(all).size).toBe(28);
  expect([...all].sort()).toEqual(all);
  expect(all[0]).toBe('0 1 2 3 4 5');
  expect(all.at(-1)).toBe('2 3 4 5 6 7');
  expect(combinationAt(38_759, 20, 6)).toEqual([14, 15, 16, 17, 18, 19]);
  for (const rank of [28, -1, 0.5]) expect(() => combinationAt(rank, 8, 6)).toThrow(`no combination ${rank}`);
});
