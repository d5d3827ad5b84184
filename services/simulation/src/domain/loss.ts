import { describeFault, faultNamed } from '@husky/match/fault';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { JobKind } from './job.ts';
import type { JobState } from './job-state.ts';

/** Resources that one seat used in a lost attempt. */
export interface SeatUsage {
  readonly seat: number;
  readonly cpuMs: number;
  readonly peakKib: number;
  /** The name of its fault. A dealer of an earlier release appends a colon and text of the bot. */
  readonly verdict: string;
}

export interface LossCounts {
  readonly suspectLosses: number;
  readonly otherLosses: number;
}

/** Losses with bots running after which a job is given up. */
export const maxSuspectLosses = 3;
/** Losses without bots running after which a job is given up: a job that can never start must end. */
export const maxOtherLosses = 10;

/** Failed fetches of a seat's packages after which the seat is played as a bot that could not be started. */
export const maxUnfetchedTries = 3;

/** A failed fetch of a seat's packages, as the runner reports it. */
export interface Unfetched {
  readonly seat: number;
  readonly cause: string;
}

/** Returns why no runner fetches a seat's packages again; '' while another try is allowed. */
export function unfetchable(tries: number, cause: string): string {
  if (tries < maxUnfetchedTries) return '';
  return `its packages could not be brought to a runner in ${maxUnfetchedTries} tries: ${cause || 'no cause was given'}`;
}

/** Returns why a job with these losses is given up; undefined if it is played again. */
export function lossVerdict(counts: LossCounts, cause: string, usage: readonly SeatUsage[]): string | undefined {
  if (counts.suspectLosses >= maxSuspectLosses) {
    return `The match was lost three times while its bots were running: ${cause || 'the runner died'}.${usageText(usage)}`;
  }
  if (counts.otherLosses >= maxOtherLosses) {
    return `The match could not be started in ${maxOtherLosses} tries: ${cause || 'the runner died'}.`;
  }
  return undefined;
}

/** Whether the match was given up because its runners were lost, whatever the bots did. */
export const isGivenUp = ({ suspectLosses, otherLosses }: LossCounts): boolean =>
  suspectLosses >= maxSuspectLosses || otherLosses >= maxOtherLosses;

/** A bot may think for a minute beyond its free time, and bots load one after another. */
const stuckMs = 15 * 60_000;

export interface MaybeStuck extends LossCounts {
  readonly state: JobState;
  readonly kind: JobKind;
  readonly progressAt: Date | null;
}

/** Returns why a match may be queued again by an admin; '' if it may not. Failed matches of a batch are retried with their batch, test runs by their user. */
export function stuckReason({ state, kind, progressAt, ...losses }: MaybeStuck, now: number): string {
  if (state === 'FAILED' && kind === 'MATCH' && isGivenUp(losses)) return 'Its runners were lost';
  const idleMs = now - (progressAt?.getTime() ?? now);
  if (state !== 'RUNNING' || idleMs < stuckMs) return '';
  return `No hand has ended for ${Math.floor(idleMs / 60_000)} minutes`;
}

/** Formats usage as " Last seen: seat 1 used 3.1 s of CPU and 41 MiB (…); …", with seats from 1. */
export function usageText(usage: readonly SeatUsage[]): string {
  if (usage.length === 0) return '';
  const seats = usage.map((seat) => {
    const used = `${(seat.cpuMs / 1000).toFixed(1)} s of CPU and ${Math.round(seat.peakKib / 1024)} MiB`;
    // Every reader of the job sees this text, so it contains the kind of fault but no text of the bot.
    const fault = faultNamed(seat.verdict.split(':')[0] ?? '');
    return `seat ${seat.seat + 1} used ${used}${fault ? ` (it ${describeFault(fault)})` : ''}`;
  });
  return ` Last seen: ${seats.join('; ')}.`;
}

const maxSeats = 6;
const maxClauseLength = 500;

/** Limits a runner's list to six entries, one for each seat; of several for one seat the last. Drops the others. */
export function limitToSeats<T extends { readonly seat: number }>(entries: readonly T[]): T[] {
  return [...new Map(entries.slice(0, maxSeats).map((entry) => [entry.seat, entry])).values()];
}

/** Limits a runner's report of the resources that its seats use. */
export function limitUsage(usage: readonly SeatUsage[]): SeatUsage[] {
  return limitToSeats(usage).map((seat) => ({ ...seat, verdict: causeClause(seat.verdict) }));
}

/** An absolute path of two parts or more. */
const absolutePath = /(?<![\w.~/-])(?:\/[\w.@+~-]+){2,}\/?/g;

/**
 * Turns a runner's text into a clause: one line, at most 500 characters, without a full stop at its end. Participants read it, so paths of
 * the runner's machine are left out.
 */
export function causeClause(text: string): string {
  // Twice the length: white space at the beginning is removed.
  return [...text.slice(0, 2 * maxClauseLength)]
    .map((char) => (char < ' ' ? ' ' : char))
    .join('')
    .replace(absolutePath, '…')
    .trim()
    .slice(0, maxClauseLength)
    .replace(/[.\s]+$/, '');
}

const firstBackoffMs = 2000;
const maxBackoffMs = 30_000;
/** Transient errors of submission, which are retried. Every other error is caused by the bot. */
const transientCodes = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'CANCELLED']);

/**
 * Classifies a failure to resolve packages: `refused` (the bot cannot be played), `retry`, or `timed-out` if `elapsedMs` since
 * the first failure has reached `limitMs`.
 */
export function preparationVerdict(
  error: unknown,
  elapsedMs: number,
  limitMs: number,
): 'refused' | 'retry' | 'timed-out' {
  if (error instanceof DomainError && !transientCodes.has(error.code)) return 'refused';
  return elapsedMs < limitMs ? 'retry' : 'timed-out';
}

/** Returns for how long tries have been failing, in ms. `since`: time of the first failure; null: this is the first. */
export const failingMs = (since: Date | null, now: number): number => (since === null ? 0 : now - since.getTime());

/** Returns the exponential backoff before the next try, in ms. `tries`: number of failed tries. */
export function preparationBackoffMs(tries: number): number {
  return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, tries - 1));
}
