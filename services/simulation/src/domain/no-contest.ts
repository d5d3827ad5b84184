/**
 * Returns whether a match is no contest because fewer than two of its bots started. All results of such a job are 0, although
 * the blinds have moved chips. Returns false if faults are unknown.
 */
export function isNoContest(seats: readonly { readonly neverStarted: boolean }[]): boolean {
  return seats.length > 1 && seats.filter(({ neverStarted }) => !neverStarted).length < 2;
}
