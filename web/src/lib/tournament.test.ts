import { describe, expect, it } from 'vitest';
import {
  countdownAt,
  DEFAULT_BANNER,
  eventAt,
  SUBMISSION_DEADLINE,
  statusAt,
  TOURNAMENT_START,
  windowOf,
} from './tournament.ts';

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
    expect(countdownAt(SUBMISSION_DEADLINE + 1, undefined, true)).toEqual({
      phase: 'closed',
      text: 'Submission open',
    });
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

describe('banner, About page and dashboard', () => {
  const specified = { start: '2025-07-12T07:00:00.000Z', end: '2025-07-22T06:59:59.000Z' };
  const later = { start: '2027-01-01T00:00:00-08:00', end: '2027-01-10T23:59:59-08:00' };
  const accepted = 'Uploads and test runs are accepted.';
  const refused = 'Uploads and test runs are refused.';
  const over = `The tournament's window is over. ${accepted}`;
  const custom = 'Finals on Friday.';
  const before = 'This test phase is the development phase. The official start is in January 2027.';
  const within = 'The tournament is running: submissions until January 10, 2027.';
  const after = 'The tournament is over.';

  it.each([
    ['2025-07-11', {}, 'Tournament ACTIVE, Registration OPEN, Next event BOT_SUBMISSION', /July 12 2025$/, accepted],
    ['2025-07-15', {}, 'Tournament ACTIVE, Registration OPEN, Next event BOT_SUBMISSION', /^6d /, ''],
    [
      '2026-11-27',
      {},
      'Tournament ACTIVE, Registration OPEN, Next event BOT_SUBMISSION',
      /^Submission open$/,
      accepted,
    ],
  ])('show the specified state on %s with the specified settings', (day, _none, panel, countdown, uploads) => {
    const submissions = { open: true, reason: accepted };
    for (const settings of [{ banner: DEFAULT_BANNER, submissions, tournament: specified }, { submissions }]) {
      const story = eventAt(Date.parse(`${day}T12:00:00Z`), settings);
      expect(story.panel.map((row) => row.join(' ')).join(', ')).toBe(panel);
      expect(story.countdown.text).toMatch(countdown);
      expect(story.uploads).toBe(uploads);
      expect(story.banner).toBe('banner' in settings ? settings.banner : '');
    }
  });

  it.each([
    ['2026-12-31', {}, before, 'NOT STARTED', 'OPEN', 'Start on January 1, 2027', /January 1 2027$/, accepted],
    ['2027-01-05', {}, within, 'ACTIVE', 'OPEN', 'BOT_SUBMISSION until January 10, 2027', /^5d /, ''],
    ['2027-01-12', {}, after, 'OVER', 'OPEN', 'None scheduled', /^Submission open$/, over],
    ['2026-12-31', { frozen: true }, before, 'NOT STARTED', 'FROZEN', 'Start on January 1, 2027', /2027$/, refused],
    [
      '2027-01-05',
      { frozen: true },
      'The tournament is running.',
      'ACTIVE',
      'FROZEN',
      'BOT_SUBMISSION until January 10, 2027',
      /^5d /,
      refused,
    ],
    ['2027-01-12', { frozen: true }, after, 'OVER', 'FROZEN', 'None scheduled', /^Submission closed$/, refused],
    ['2027-01-05', { banner: custom }, custom, 'ACTIVE', 'OPEN', 'BOT_SUBMISSION until January 10, 2027', /^5d /, ''],
    ['2027-01-12', { banner: '' }, '', 'OVER', 'OPEN', 'None scheduled', /^Submission open$/, over],
    [
      '2025-07-11',
      { tournament: specified, frozen: true },
      'July 2025',
      'NOT STARTED',
      'FROZEN',
      'July 12',
      /2025$/,
      refused,
    ],
    [
      '2026-11-27',
      { tournament: specified, frozen: true },
      after,
      'OVER',
      'FROZEN',
      'None',
      /^Submission closed$/,
      refused,
    ],
    [
      '2026-11-27',
      { tournament: specified, banner: custom },
      custom,
      'OVER',
      'OPEN',
      'None',
      /^Submission open$/,
      over,
    ],
    ['2026-11-27', { tournament: specified, banner: undefined }, '', 'OVER', 'OPEN', 'None', /^Submission open$/, over],
  ])(
    'tell one story on %s with other settings %o',
    (day, change, banner, tournament, open, next, countdown, uploads) => {
      const { frozen = false, ...rest } = change as { frozen?: boolean };
      const settings = {
        banner: DEFAULT_BANNER,
        submissions: { open: !frozen, reason: frozen ? refused : accepted },
        tournament: later,
        ...rest,
      };
      const story = eventAt(Date.parse(`${day}T12:00:00-08:00`), settings as Parameters<typeof eventAt>[1]);
      const rows = Object.fromEntries(story.panel);
      expect(rows).toMatchObject({ Tournament: tournament, Registration: 'OPEN', 'Uploads and test runs': open });
      expect(rows['Next event']).toContain(next);
      expect(story.banner).toContain(banner);
      expect([story.countdown.text, story.uploads]).toEqual([expect.stringMatching(countdown), uploads]);
    },
  );
});
