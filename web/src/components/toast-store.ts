export type Toast = { id: number; kind: 'error' | 'success' | 'info'; text: string };

const KEPT = 4;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: Toast['kind'], text: string): void {
  // The same text again replaces the old one, so that a failing poll does not pile up.
  const others = toasts.filter((toast) => toast.text !== text);
  change([...others, { id: nextId++, kind, text }].slice(-KEPT));
}

/** Messages over the page. An error's text is the catalogue's; it is read out at once (role=alert). */
export const toast = {
  error: (text: string) => show('error', text),
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  dismiss: (id: number) => change(toasts.filter((entry) => entry.id !== id)),
};

export const getToasts = (): readonly Toast[] => toasts;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
