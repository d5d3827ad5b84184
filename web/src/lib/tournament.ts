/** Default window of the tournament, in Pacific time; the organisers can set another. It is shown only, not enforced. */
export const TOURNAMENT_START = Date.parse('2025-07-12T00:00:00-07:00');
export const SUBMISSION_DEADLINE = Date.parse('2025-07-21T23:59:59-07:00');

export type TournamentWindow = { start: number; deadline: number };
export type Countdown =
  | { phase: 'before'; text: string }
  | { phase: 'open'; text: string; days: number; hours: number; minutes: number; seconds: number }
  | { phase: 'closed'; text: string };

const DEFAULT_WINDOW: TournamentWindow = { start: TOURNAMENT_START, deadline: SUBMISSION_DEADLINE };

const startDay = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'America/Los_Angeles',
});

/** Parses the window of the server's settings; returns the default if it is absent or invalid. */
export function windowOf(configured: { start: string; end: string } | undefined): TournamentWindow {
  const window = { start: Date.parse(configured?.start ?? ''), deadline: Date.parse(configured?.end ?? '') };
  return Number.isNaN(window.start) || Number.isNaN(window.deadline) ? DEFAULT_WINDOW : window;
}

/** Returns the dashboard's countdown at a time in milliseconds since 1970: before, open or closed. */
export function countdownAt(now: number, window: TournamentWindow = DEFAULT_WINDOW): Countdown {
  if (now < window.start) {
    const day = startDay.format(window.start).replace(',', '');
    return { phase: 'before', text: `The tournament officially starts on ${day}` };
  }
  if (now > window.deadline) return { phase: 'closed', text: 'Submission closed' };
  const total = Math.floor((window.deadline - now) / 1000);
  const days = Math.floor(total / 86_400);
  const hours = Math.floor((total % 86_400) / 3_600);
  const minutes = Math.floor((total % 3_600) / 60);
  const seconds = total % 60;
  return { phase: 'open', text: `${days}d ${hours}h ${minutes}m ${seconds}s`, days, hours, minutes, seconds };
}
