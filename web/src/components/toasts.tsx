import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import './feedback.css';
import { Icon } from './icon.tsx';

const SHOWN_MS = { error: 12_000, success: 5_000, info: 7_000 };

function ToastItem({ entry }: { entry: Toast }) {
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => toast.dismiss(entry.id), SHOWN_MS[entry.kind]);
    return () => clearTimeout(timer);
  }, [paused, entry]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a message that is being read must stay
    <div
      className={`toast toast-${entry.kind}`}
      role={entry.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <p>{entry.text}</p>
      <button type="button" aria-label="Dismiss message" onClick={() => toast.dismiss(entry.id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Shows the toasts; as a popover they stay above open dialogs. */
export function Toasts() {
  const entries = useSyncExternalStore(subscribeToasts, getToasts);
  const box = useRef<HTMLElement>(null);
  const newest = entries.at(-1)?.id;

  useEffect(() => {
    const element = box.current;
    if (!element || typeof element.showPopover !== 'function') return;
    if (element.matches(':popover-open')) element.hidePopover();
    // Shown again for each toast, so that it is above a dialog opened since.
    if (newest !== undefined) element.showPopover();
  }, [newest]);

  return (
    <section ref={box} className="toasts" aria-label="Messages" popover="manual">
      {entries.map((entry) => (
        <ToastItem key={entry.id} entry={entry} />
      ))}
    </section>
  );
}

type Toast = { id: number; kind: 'error' | 'success' | 'info'; text: string };

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

function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
