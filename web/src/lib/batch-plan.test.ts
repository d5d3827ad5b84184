import { expect, it } from 'vitest';
import { planNumbers, planSentence } from './batch-plan.ts';
import type { BatchPlan } from './types.ts';

const plan: BatchPlan = {
  mode: 'classic',
  stacks: 'carry',
  design: 'all',
  hand_budget: null,
  tables: 1716,
  matches: 1716,
  hands: 1_716_000,
  tables_of_player: { min: 792, max: 792 },
  tables_of_pair: { min: 330, max: 330 },
};

it('describes a classic batch of all combinations', () => {
  expect(planSentence(plan, 13, 1000)).toBe('A match for every 6 of 13 players, up to 1,000 hands each.');
  expect(planNumbers(plan)).toBe('1,716 matches, at most 1,716,000 hands. Two players meet in 330 matches.');
});

it('describes a duplicate batch of a balanced design', () => {
  const duplicate: BatchPlan = {
    ...plan,
    mode: 'duplicate',
    design: 'balanced',
    tables: 27,
    matches: 162,
    hands: 162_000,
    tables_of_pair: { min: 5, max: 6 },
  };
  expect(planSentence(duplicate, 13, 1000)).toBe(
    'Duplicate play: for 27 tables of 6 among 13 players 6 matches with the same cards and rotated seats, up to 1,000 hands each.',
  );
  expect(planNumbers(duplicate)).toBe(
    '162 matches, at most 162,000 hands. 27 deal sets of 6 matches. Two players meet in 5 to 6 deal sets.',
  );
});
