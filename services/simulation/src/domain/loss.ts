/** What one seat used in an attempt that was lost. */
export interface SeatUsage {
  readonly seat: number;
  readonly cpuMs: number;
  readonly peakKib: number;
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
    return `seat ${seat.seat + 1} used ${used}${seat.verdict ? ` (${seat.verdict})` : ''}`;
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
