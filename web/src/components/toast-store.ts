export type Toast = { id: number; kind: 'error' | 'success' | 'info'; text: string };

const MAX_TOASTS = 4;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: Toast['kind'], text: string): void {
  // A repeated text replaces the previous one, so that a failing poll does not fill the screen.
  const others = toasts.filter((toast) => toast.text !== text);
  setToasts([...others, { id: nextId++, kind, text }].slice(-MAX_TOASTS));
}

/** Shows messages over the page. Screen readers read errors out at once (role=alert). */
export const toast = {
  error: (text: string) => show('error', text),
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  dismiss: (id: number) => setToasts(toasts.filter((entry) => entry.id !== id)),
};

export const getToasts = (): readonly Toast[] => toasts;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
