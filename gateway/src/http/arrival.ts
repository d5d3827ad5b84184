import type { IncomingMessage } from 'node:http';

const arrivals = new WeakMap<IncomingMessage, number>();

/** Notes that a request has arrived, for `msSinceArrival`. */
export function noteArrival(request: IncomingMessage): void {
  arrivals.set(request, performance.now());
}

/** Returns the ms since a request has arrived; 0 if that was not noted. */
export function msSinceArrival(request: IncomingMessage): number {
  const arrivedMs = arrivals.get(request);
  return arrivedMs === undefined ? 0 : performance.now() - arrivedMs;
}
