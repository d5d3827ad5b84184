import { useSyncExternalStore } from 'react';

/** `system` follows the colour scheme of the operating system. */
export type Theme = 'system' | 'light' | 'dark';

// public/theme.js reads it before the first paint.
const KEY = 'husky.theme';

const listeners = new Set<() => void>();

/** Returns the theme that the user chose in this browser. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Stores and applies a theme. Other open tabs apply it too. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  apply();
}

function apply(): void {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Follows changes of the theme in other tabs, of the system's scheme, and printing. Called once, at the start. */
export function followTheme(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) apply();
  });
  for (const query of ['(prefers-color-scheme: light)', 'print']) {
    window.matchMedia(query).addEventListener('change', () => {
      for (const listener of listeners) listener();
    });
  }
}

/** Calls `listener` when the colours change, by choice or by the system. Returns a function that stops it. */
export function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the chosen theme, current also after a change in another tab. */
export const useTheme = (): Theme => useSyncExternalStore(subscribeTheme, currentTheme);

let probe: HTMLElement | undefined;

/** Returns the present value of a colour token as rgb(), for canvases, which cannot read CSS variables. */
export function tokenColor(name: string): string {
  probe ??= document.body.appendChild(Object.assign(document.createElement('span'), { hidden: true }));
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}
