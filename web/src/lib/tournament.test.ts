import { describe, expect, it } from 'vitest';
import { countdownAt, SUBMISSION_DEADLINE, statusAt, TOURNAMENT_START, windowOf } from './tournament.ts';

describe('the countdown of the tournament', () => {
  it('shows the start until the last second before the window', () => {
    expect(countdownAt(TOURNAMENT_START - 1)).toEqual({
      phase: 'before',
      text: 'The tournament officially starts on July 12 2025',
    });
  });
  it('counts days, hours, minutes and seconds to the deadline inside the window', () => {
    const before = ((2 * 24 + 3) * 3600 + 4 * 60 + 5) * 1000;
    expect(countdownAt(SUBMISSION_DEADLINE - before)).toMatchObject({ phase: 'open', text: '2d 3h 4m 5s', days: 2 });
  });
  it('opens on July 12 at midnight Pacific time', () => {
    expect(countdownAt(Date.UTC(2025, 6, 12, 7, 0, 0)).phase).toBe('open');
    expect(countdownAt(Date.UTC(2025, 6, 12, 6, 59, 59)).phase).toBe('before');
  });
  it("uses the organisers' window, and the default if none is configured or it is invalid", () => {
    const configured = windowOf({ start: '2027-01-01T00:00:00-08:00', end: '2027-01-03T00:00:00Z' });
    expect(countdownAt(Date.UTC(2026, 0, 1), configured).text).toBe(
      'The tournament officially starts on January 1 2027',
    );
    expect(countdownAt(Date.UTC(2027, 0, 2, 23, 59, 58), configured).text).toBe('0d 0h 0m 2s');
    for (const none of [undefined, { start: '', end: 'soon' }]) {
      expect(windowOf(none)).toEqual({ start: TOURNAMENT_START, deadline: SUBMISSION_DEADLINE });
    }
  });
  it('is open at the deadline and closed a millisecond later', () => {
    expect(countdownAt(SUBMISSION_DEADLINE)).toMatchObject({ phase: 'open', text: '0d 0h 0m 0s' });
    expect(countdownAt(SUBMISSION_DEADLINE + 1)).toEqual({ phase: 'closed', text: 'Submission closed' });
  });
});

describe('the status of the event', () => {
  const window = { start: Date.parse('2027-01-01T00:00:00-08:00'), deadline: Date.parse('2027-01-10T23:59:59-08:00') };
  it('follows the window of the settings', () => {
    expect(statusAt(window.start - 1, window, null)).toMatchObject({
      tournament: 'NOT STARTED',
      next: 'Start on January 1, 2027',
    });
    expect(statusAt(window.start, window, null)).toEqual({
      tournament: 'ACTIVE',
      uploads: 'OPEN',
      next: 'BOT_SUBMISSION until January 10, 2027',
    });
    expect(statusAt(window.deadline + 1, window, null)).toMatchObject({ tournament: 'OVER', uploads: 'OPEN' });
  });
  it('says since when uploads are refused', () =>
    expect(statusAt(window.start, window, 'Jan 2, 2027, 10:00').uploads).toBe('FROZEN since Jan 2, 2027, 10:00'));
});
