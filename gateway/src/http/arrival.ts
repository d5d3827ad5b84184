import type { IncomingMessage } from 'node:http';

const arrivals = new WeakMap<IncomingMessage, number>();

/** Notes when a request has arrived, for `waitedMs`. */
export function noteArrival(request: IncomingMessage): void {
  arrivals.set(request, performance.now());
}

/** Returns for how many ms a request has waited since it arrived: for a place, and for the event loop. 0 if its arrival was not noted. */
export function waitedMs(request: IncomingMessage): number {
  const arrivedMs = arrivals.get(request);
  return arrivedMs === undefined ? 0 : performance.now() - arrivedMs;
}
