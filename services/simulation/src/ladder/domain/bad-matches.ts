import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { tableSize } from '../../domain/job.ts';

/** A set in which a bot failed in so many of its matches is a failing one. */
export const mostMatches = Math.floor(tableSize / 2) + 1;
/** Consecutive failing sets after which a version is paused. */
export const failingSetsToPause = 3;

type Faults = Pick<SeatFaults__Output, 'neverStarted' | 'outKind' | 'decisions'> & {
  readonly counts: readonly { readonly count: number }[];
};

/** Returns whether a bot did not start, was taken out of play or failed in most decisions of a match. Null: its faults are unknown. */
export function isBad(faults: Faults | null): boolean {
  if (faults === null) return false;
  const failed = faults.counts.reduce((sum, { count }) => sum + count, 0);
  return faults.neverStarted || faults.outKind !== '' || 2 * failed > faults.decisions;
}

/** Returns why a version is paused, for its author. `faults`: of the last set. */
export function pauseReason(faults: readonly (Faults | null)[]): string {
  const known = faults.filter((one) => one !== null);
  const unstarted = known.filter(({ neverStarted }) => neverStarted).length;
  const what =
    unstarted >= mostMatches
      ? `did not start in ${unstarted} of ${faults.length} matches`
      : `failed in ${faults.filter(isBad).length} of ${faults.length} matches`;
  return `Your bot ${what} of its last set, and in most matches of ${failingSetsToPause} sets in a row. Mark a corrected submission as final, and it plays again.`;
}
