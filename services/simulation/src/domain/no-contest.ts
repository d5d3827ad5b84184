/**
 * Whether a match has no result, because fewer than two of its bots started: no bot has played against another. The results of
 * the job are 0 for all then, whatever chips the blinds moved. False where faults are not known.
 */
export function isNoContest(seats: readonly { readonly neverStarted: boolean }[]): boolean {
  return seats.length > 1 && seats.filter(({ neverStarted }) => !neverStarted).length < 2;
}
