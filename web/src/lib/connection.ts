type Listener = () => void;
const listeners = new Set<Listener>();
let reachable = true;
let answeredCalls = 0;

function change(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Whether the last call got any response from the server. */
export const isReachable = (): boolean => reachable;
/** Returns the number of calls that the server has answered since the page was loaded. */
export const countAnsweredCalls = (): number => answeredCalls;
export function reportReachable(): void {
  answeredCalls++;
  change(true);
}
export const reportUnreachable = (): void => change(false);

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
