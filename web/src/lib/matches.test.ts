import { expect, it, test } from 'vitest';
import { endText, jobPath, jobTitle, matchHeadline, planNumbers, planSentence, resultText } from './matches.ts';
import type { BatchPlan } from './types.ts';

const match = { job_id: 'a b', batch_number: null, game_number: 7 };

test('names a match by its batch and its number', () => {
  expect(jobTitle(match)).toBe('Game #7');
  expect(jobTitle({ batch_number: 3, game_number: 17 })).toBe('Batch #3 Game #17');
  expect(jobTitle({ batch_number: null, game_number: 0 })).toBe('Game');
  expect(jobPath(match)).toBe('/games/a%20b?gameNumber=7');
});

const ended = { job_id: '0123456789', job_status: 'Finished', game_number: 28, completed_at: '2026-11-27T12:00:00Z' };
test.each([
  [
    'a batch',
    { batch_number: 1, result_data: { Opus: 39_360, Sonnet: -39_360 } },
    'Match 28 of batch 1: Opus wins $39,360, Nov 27',
  ],
  ['a single match', { result_data: { ann: 5, ben: -5 } }, 'Match 28: ann wins $5, Nov 27'],
  [
    'another year',
    { completed_at: '2025-07-20T12:00:00Z', result_data: { ann: 5 } },
    'Match 28: ann wins $5, Jul 20, 2025',
  ],
  [
    'a test run',
    { kind: 'test' as const, result_data: { ann: -20, house: 20 } },
    'Test run 28: house wins $20, Nov 27',
  ],
  [
    'a tie',
    { result_data: { ann: 30, ben: 30, cat: 30, dan: -90 } },
    'Match 28: ann, ben and cat tie with $30 each, Nov 27',
  ],
  ['nobody', { result_data: { ann: 0, ben: 0 } }, 'Match 28: finished without a winner, Nov 27'],
  ['no contest', { no_contest: true, result_data: { ann: 0, ben: 0 } }, 'Match 28: no contest, Nov 27'],
  ['failed', { job_status: 'Failed', error: 'cancelled' }, 'Match 28: failed, Nov 27'],
  ['running', { job_status: 'Running', completed_at: null }, 'Match 28: in play'],
  ['pending', { job_status: 'Pending', completed_at: null }, 'Match 28: waiting to start'],
  ['without a number', { game_number: undefined, result_data: { ann: 1 } }, 'Match 01234567: ann wins $1, Nov 27'],
  ['not loaded', { job_status: undefined, game_number: undefined }, 'Match 01234567'],
])('the headline of a match: %s', (_name, match, headline) => {
  expect(
    matchHeadline({ ...ended, ...match } as Parameters<typeof matchHeadline>[0], Date.parse('2026-11-28T12:00:00Z')),
  ).toBe(headline);
});

test('says who won and how much, or who leads', () => {
  expect(resultText({ status: 'Finished', winner: 'ann', winner_delta: 12_345 })).toBe('ann won +12,345');
  expect(resultText({ status: 'Finished', winner: null, winner_delta: null })).toBe('No single winner');
  expect(resultText({ status: 'Running', winner: 'ann', winner_delta: 20 })).toBe('ann leads with +20');
  expect(resultText({ status: 'Running', winner: null, winner_delta: null })).toBe('Nobody leads yet');
  expect(resultText({ status: 'Failed', winner: null, winner_delta: null })).toBe('No result');
});

test('says how many hands were played and how the match ended', () => {
  expect(endText({ status: 'Finished', hands: 1000, end_reason: null })).toBe('1,000 hands, all played');
  expect(endText({ status: 'Finished', hands: 1, end_reason: 'one player holds every chip' })).toBe(
    '1 hand, ended early: one player holds every chip',
  );
  expect(endText({ status: 'Running', hands: 12, end_reason: null })).toBe('12 hands so far');
  expect(endText({ status: 'Failed', hands: 0, end_reason: null })).toBe('0 hands, failed');
});

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
