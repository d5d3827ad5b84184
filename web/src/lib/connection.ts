type Listener = () => void;
const listeners = new Set<Listener>();
let reachable = true;

function change(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Whether the last call got any answer from the server. */
export const isReachable = (): boolean => reachable;
export const reportReachable = (): void => change(true);
export const reportUnreachable = (): void => change(false);

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
