/**
 * Returns a smaller list of steps that still fails, by delta debugging: removes halves, then quarters, down to single steps, if the rest
 * still fails. Calls `fails` at most `maxRuns` times.
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
  maxRuns: number,
): Promise<readonly T[]> {
  let smallest = steps;
  let runs = 0;
  let parts = 2;
  while (smallest.length > 1 && runs < maxRuns) {
    const size = Math.ceil(smallest.length / parts);
    let smaller: readonly T[] | undefined;
    for (let from = 0; from < smallest.length && smaller === undefined && runs < maxRuns; from += size) {
      const rest = [...smallest.slice(0, from), ...smallest.slice(from + size)];
      runs += 1;
      if (await fails(rest)) smaller = rest;
    }
    if (smaller !== undefined) {
      smallest = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) {
      break;
    } else {
      parts = Math.min(smallest.length, 2 * parts);
    }
  }
  return smallest;
}
