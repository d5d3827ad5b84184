import { designCounts } from '@husky/match/plan-tables';
import { championOf, rankStage } from '@husky/match/tournament-ranking';
import { expect, test } from 'vitest';
import { equalBlocks, equalStep } from '../../domain/equal-design.ts';
import { planStage, playersOf, stagesOf } from './stage.ts';

test.each([6, 7, 12, 13, 21, 100, 300])(
  '%i players sit at equally many tables, and pairs meet nearly equally often',
  (players) => {
    for (const times of [1, 3]) {
      const each = times * equalStep(players);
      const blocks = equalBlocks(players, each);
      expect(blocks.every((block) => new Set(block).size === 6)).toBe(true);
      const { blocksOfPlayer, blocksOfPair } = designCounts(players, blocks);
      expect(blocksOfPlayer).toEqual({ min: each, max: each });
      expect(blocksOfPair.max - blocksOfPair.min).toBeLessThanOrEqual(3);
    }
  },
);

test('plans the templates for any number of entrants', () => {
  for (const template of ['official', 'quick', 'researcher']) {
    const stages = stagesOf(template);
    for (const entrants of [6, 7, 31, 1000]) {
      const players = playersOf(stages, entrants);
      expect(players.at(-1)).toBe(6);
      for (const [index, spec] of stages.entries()) {
        const { tables } = planStage(spec, players[index] ?? 0);
        expect((tables * 6) % (players[index] ?? 0)).toBe(0);
      }
    }
  }
  expect(() => stagesOf('other')).toThrow('The template must be one of official, quick, researcher.');
});

const points = (...deltas: number[]) => deltas.map((delta, index) => ({ userId: `u${index}`, delta }));
const shown = (deltas: number[], advance: number | null, before: Map<string, number>[] = []) =>
  rankStage(points(...deltas), { advance, before, drawBy: 'hash' })
    .map(({ userId, rank, advances }) => `${userId}:${rank}${advances ? '+' : ''}`)
    .join(' ');

test('ranks by winnings; all who are level at a cut go on, but only six to one table, by the stage before', () => {
  expect(shown([1, 3, 2, 2, 0, 0, -8], null)).toMatch(/^u1:1 u[23]:2 u[23]:2 u0:4 u[45]:5 u[45]:5 u6:7$/);
  const deltas = [9, 8, 7, 6, 5, 3, 3, -41];
  expect(shown([9, 8, 7, 6, 5, 4, 3, 3, -45], 7).match(/\+/g)).toHaveLength(8);
  const before = new Map([['u6', 1]]);
  expect(shown(deltas, 6, [before])).toMatch(/u4:5\+ u6:6\+ u5:6 u7:8$/);
  expect(shown(deltas, 6).match(/\+/g)).toHaveLength(6);
  expect(shown(deltas, null)).not.toContain('+');
});

test('has no champion where nobody was ever better than another', () => {
  expect(championOf([points(0, 0), points(0, 0)])).toBe(null);
  expect(championOf([points(1, -1), points(0, 0)])).toBe('u0');
});
