import { describeFault, faultNamed } from '@husky/match/fault';

/** What one seat used in an attempt that was lost. */
export interface SeatUsage {
  readonly seat: number;
  readonly cpuMs: number;
  readonly peakKib: number;
  /** Its fault's name, or what begins with it: a dealer of an earlier release adds the bot's own words. */
  readonly verdict: string;
}

export interface LossCounts {
  readonly suspectLosses: number;
  readonly otherLosses: number;
}

/** Losses with bots running before a job is given up. */
export const maxSuspectLosses = 3;
/** Losses without bots running: those are ours, but a job that can never start must end. */
export const maxOtherLosses = 10;

/** Tries to bring a seat's packages to a runner; then the seat is played as a bot that could not be started. */
export const maxUnfetchedTries = 3;

/** Packages of a seat that could not be brought to a runner, as the runner says. */
export interface Unfetched {
  readonly seat: number;
  readonly cause: string;
}

/** Why a seat's packages are not fetched any more; '' while they are. */
export function unfetchable(tries: number, cause: string): string {
  if (tries < maxUnfetchedTries) return '';
  return `its packages could not be brought to a runner in ${maxUnfetchedTries} tries: ${cause || 'no cause was given'}`;
}

/** Why a job that has lost so many attempts is given up, or undefined when it is played again. */
export function lossVerdict(counts: LossCounts, cause: string, usage: readonly SeatUsage[]): string | undefined {
  if (counts.suspectLosses >= maxSuspectLosses) {
    return `The match was lost three times while its bots were running: ${cause || 'the runner died'}.${usageInWords(usage)}`;
  }
  if (counts.otherLosses >= maxOtherLosses) {
    return `The match could not be started in ${maxOtherLosses} tries: ${cause || 'the runner died'}.`;
  }
  return undefined;
}

/** " Last seen: seat 1 used 3.1 s of CPU and 41 MiB (…); …", seats from 1. */
export function usageInWords(usage: readonly SeatUsage[]): string {
  if (usage.length === 0) return '';
  const seats = usage.map((seat) => {
    const used = `${(seat.cpuMs / 1000).toFixed(1)} s of CPU and ${Math.round(seat.peakKib / 1024)} MiB`;
    // Everybody who sees the job reads this: the kind of fault, never the bot's own words.
    const fault = faultNamed(seat.verdict.split(':')[0] ?? '');
    return `seat ${seat.seat + 1} used ${used}${fault ? ` (it ${describeFault(fault)})` : ''}`;
  });
  return ` Last seen: ${seats.join('; ')}.`;
}

/** A cause from a runner as a clause: one line, bounded, without a full stop at its end. */
export function causeClause(text: string): string {
  return [...text]
    .map((char) => (char < ' ' ? ' ' : char))
    .join('')
    .trim()
    .slice(0, 500)
    .replace(/[.\s]+$/, '');
}
