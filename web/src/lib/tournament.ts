import { isSpecified, specifiedEvent } from '@husky/match/specified-event';
import { EVENT_ZONE } from './event-zone.ts';
import { formatTime } from './format.ts';
import type { AppConfig, Tournament } from './types.ts';

/** Default window of the tournament, in Pacific time; the organisers can set another. It is shown only: uploads are refused by a freeze. */
export const { start: TOURNAMENT_START, end: SUBMISSION_DEADLINE, banner: DEFAULT_BANNER } = specifiedEvent;

export type TournamentWindow = { start: number; deadline: number };
export type Countdown =
  | { phase: 'before'; text: string }
  | { phase: 'open'; text: string; days: number; hours: number; minutes: number; seconds: number }
  | { phase: 'closed'; text: string };

const DEFAULT_WINDOW: TournamentWindow = { start: TOURNAMENT_START, deadline: SUBMISSION_DEADLINE };

const startMonth = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: EVENT_ZONE,
});
const startDay = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: EVENT_ZONE,
});

/** Parses the window of the server's settings; returns the default if it is absent or invalid. */
export function windowOf(configured: { start: string; end: string } | undefined): TournamentWindow {
  const window = { start: Date.parse(configured?.start ?? ''), deadline: Date.parse(configured?.end ?? '') };
  return Number.isNaN(window.start) || Number.isNaN(window.deadline) ? DEFAULT_WINDOW : window;
}

/** Texts about the state of the event. `uploads` follows the freeze, which the platform enforces. */
export type EventStatus = { tournament: string; uploads: string; next: string };

/** Returns the status at a time in milliseconds since 1970. `frozenSince` is the formatted time, '' if it is unknown, null if not frozen. */
export function statusAt(now: number, window: TournamentWindow, frozenSince: string | null): EventStatus {
  const [start, end] = [startDay.format(window.start), startDay.format(window.deadline)];
  const uploads = frozenSince === null ? 'OPEN' : `FROZEN${frozenSince === '' ? '' : ` since ${frozenSince}`}`;
  if (now < window.start) return { tournament: 'NOT STARTED', uploads, next: `Start on ${start}` };
  if (now > window.deadline) return { tournament: 'OVER', uploads, next: 'None scheduled' };
  return { tournament: 'ACTIVE', uploads, next: `BOT_SUBMISSION until ${end}` };
}

/** Returns the dashboard's countdown at a time in milliseconds since 1970: before, open or closed. `accepted`: uploads are, also after the deadline. */
export function countdownAt(now: number, window: TournamentWindow = DEFAULT_WINDOW, accepted = false): Countdown {
  if (now < window.start) {
    const day = startDay.format(window.start).replace(',', '');
    return { phase: 'before', text: `The tournament officially starts on ${day}` };
  }
  if (now > window.deadline) return { phase: 'closed', text: accepted ? 'Submission open' : 'Submission closed' };
  const total = Math.floor((window.deadline - now) / 1000);
  const days = Math.floor(total / 86_400);
  const hours = Math.floor((total % 86_400) / 3_600);
  const minutes = Math.floor((total % 3_600) / 60);
  const seconds = total % 60;
  return { phase: 'open', text: `${days}d ${hours}h ${minutes}m ${seconds}s`, days, hours, minutes, seconds };
}

type EventSettings = Pick<AppConfig, 'banner' | 'submissions' | 'frozen_since' | 'tournament'>;

/** What banner, About page and dashboard say about the event. */
export type EventStory = {
  /** Empty: none. */
  banner: string;
  /** Rows of the About page's status: label and value. */
  panel: readonly (readonly [string, string])[];
  countdown: Countdown;
  /** Whether uploads are accepted, under the countdown; empty while the countdown runs. */
  uploads: string;
};

/**
 * Returns the story of the event at a time in milliseconds since 1970. With the specified settings the panel of the About page is the
 * specified, static one. Other settings decide everything: the default banner then follows the window; a banner of the organisers stays.
 */
export function eventAt(now: number, settings: EventSettings): EventStory {
  const { banner = '', submissions = { open: true, reason: '' }, frozen_since: since, tournament } = settings;
  const { open, reason } = submissions;
  const frozen = !open;
  const window = windowOf(tournament);
  const countdown = countdownAt(now, window, open);
  // Without settings from the server the specified ones apply.
  const specified =
    isSpecified({ start: window.start, end: window.deadline }, frozen) &&
    (tournament === undefined || banner === DEFAULT_BANNER);
  const status = statusAt(now, window, frozen ? (since ? formatTime(since) : '') : null);
  const over = open && countdown.phase === 'closed' && !specified ? "The tournament's window is over. " : '';
  return {
    banner: banner === DEFAULT_BANNER && !specified ? bannerOf(countdown.phase, window, frozen) : banner,
    panel: specified
      ? [
          ['Tournament', 'ACTIVE'],
          ['Registration', 'OPEN'],
          ['Next event', 'BOT_SUBMISSION'],
        ]
      : [
          ['Tournament', status.tournament],
          ['Registration', 'OPEN'],
          ['Uploads and test runs', status.uploads],
          ['Next event', status.next],
        ],
    countdown,
    uploads: open && countdown.phase === 'open' ? '' : `${over}${reason}`,
  };
}

function bannerOf(phase: Countdown['phase'], { start, deadline }: TournamentWindow, frozen: boolean): string {
  if (phase === 'before') {
    return `This test phase is the development phase. The official start is in ${startMonth.format(start)}.`;
  }
  if (phase === 'closed') return 'The tournament is over.';
  return frozen
    ? 'The tournament is running.'
    : `The tournament is running: submissions until ${startDay.format(deadline)}.`;
}

/** Whether a tournament has ended and places of its last stage are still hidden. */
export const isRevealing = (tournament: Pick<Tournament, 'state' | 'stages'> | null | undefined): boolean =>
  tournament?.state === 'finished' && tournament.stages.at(-1)?.hidden === true;
