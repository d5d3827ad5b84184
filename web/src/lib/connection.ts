type Listener = () => void;
const listeners = new Set<Listener>();
let reachable = true;
let responses = 0;

function setReachable(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Returns whether the last call got any response from the server. */
export const isReachable = (): boolean => reachable;
/** Returns the number of calls with a response since the page was loaded. */
export const countResponses = (): number => responses;
export function reportReachable(): void {
  responses++;
  setReachable(true);
}
export const reportUnreachable = (): void => setReachable(false);

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
