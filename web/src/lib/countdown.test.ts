import { describe, expect, it } from 'vitest';
import { countdownAt, SUBMISSION_DEADLINE, TOURNAMENT_START } from './countdown.ts';

describe('the countdown of the tournament', () => {
  it('names the start on the last second before the window', () => {
    expect(countdownAt(TOURNAMENT_START - 1)).toEqual({
      phase: 'before',
      text: 'The tournament officially starts on July 12 2025',
    });
  });
  it('counts days, hours, minutes and seconds to the deadline inside the window', () => {
    const before = ((2 * 24 + 3) * 3600 + 4 * 60 + 5) * 1000;
    expect(countdownAt(SUBMISSION_DEADLINE - before)).toMatchObject({ phase: 'open', text: '2d 3h 4m 5s', days: 2 });
  });
  it('opens at midnight Pacific time of July 12', () => {
    expect(countdownAt(Date.UTC(2025, 6, 12, 7, 0, 0)).phase).toBe('open');
    expect(countdownAt(Date.UTC(2025, 6, 12, 6, 59, 59)).phase).toBe('before');
  });
  it('still counts on the deadline itself and is closed a millisecond later', () => {
    expect(countdownAt(SUBMISSION_DEADLINE)).toMatchObject({ phase: 'open', text: '0d 0h 0m 0s' });
    expect(countdownAt(SUBMISSION_DEADLINE + 1)).toEqual({ phase: 'closed', text: 'Submission closed' });
  });
});
