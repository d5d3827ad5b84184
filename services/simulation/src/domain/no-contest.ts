/**
 * Whether a match has no result: fewer than two of its bots started, so no bot has played against another. What the blinds
 * moved is then nobody's win; the job's results are 0 for all. False where faults are not known.
 */
export function isNoContest(seats: readonly { readonly neverStarted: boolean }[]): boolean {
  return seats.length > 1 && seats.filter(({ neverStarted }) => !neverStarted).length < 2;
}
