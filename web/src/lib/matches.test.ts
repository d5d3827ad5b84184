import { expect, test } from 'vitest';
import { endText, jobPath, jobTitle, resultText } from './matches.ts';

const match = { job_id: 'a b', batch_number: null, game_number: 7 };

test('names a match by its batch and its number', () => {
  expect(jobTitle(match)).toBe('Game #7');
  expect(jobTitle({ batch_number: 3, game_number: 17 })).toBe('Batch #3 Game #17');
  expect(jobTitle({ batch_number: null, game_number: 0 })).toBe('Game');
  expect(jobPath(match)).toBe('/games/a%20b?gameNumber=7');
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
