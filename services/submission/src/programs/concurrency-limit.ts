/**
 * Returns a function that runs at most `max` calls at once; the others wait in order. When `maxWaiting` calls wait, further ones are
 * rejected with `busy`.
 */
export function createConcurrencyLimit(
  max: number,
  maxWaiting: number,
  busy: () => Error,
): <T>(work: () => Promise<T>) => Promise<T> {
  let free = max;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else if (waiting.length >= maxWaiting) throw busy();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
