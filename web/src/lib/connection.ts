type Listener = () => void;
const listeners = new Set<Listener>();
let reachable = true;
let answeredAtMs = 0;

function change(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Whether the last call got any answer from the server. */
export const isReachable = (): boolean => reachable;
/** Whether any call has been answered since then (milliseconds since 1970). */
export const answeredSince = (timeMs: number): boolean => answeredAtMs >= timeMs;
export function reportReachable(): void {
  answeredAtMs = Date.now();
  change(true);
}
export const reportUnreachable = (): void => change(false);

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
