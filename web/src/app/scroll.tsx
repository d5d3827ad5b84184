import { useQueryClient } from '@tanstack/react-query';
import { useContext, useLayoutEffect } from 'react';
import { UNSAFE_DataRouterStateContext, useLocation, useNavigationType } from 'react-router';

const STORAGE_KEY = 'husky.scroll';
const MAX_ENTRIES = 100;
const QUIET_MS = 1_000;
const MAX_WAIT_MS = 15_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Vertical position of each visited entry of the tab's history, the last visited one last. */
const positions = readPositions();

/** Saves the position of the present page, unless it is being restored. A scroll event may be late. */
let saveCurrent: (() => void) | undefined;

window.history.scrollRestoration = 'manual';
for (const event of ['pagehide', 'visibilitychange']) {
  window.addEventListener(event, () => {
    saveCurrent?.();
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions].slice(-MAX_ENTRIES)));
    } catch {
      // Without storage only a reload forgets the positions.
    }
  });
}

function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

/**
 * Returns a key of the present entry of the history that survives a reload. The router's own key is `default` for every entry that the
 * browser made (a typed address, a link to an anchor), so entries would share one position.
 */
function entryKey(): string {
  const state = (window.history.state ?? {}) as { key?: string };
  if (state.key !== undefined) return state.key;
  const key = Math.random().toString(36).slice(2);
  window.history.replaceState({ ...state, key }, '');
  return key;
}

function elementOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * Scrolls each page to its place: a new one to its top or its anchor, a reloaded or former one to where it was left. Parts that load late
 * change the height, so it scrolls again after each change, until the user scrolls or the page is complete.
 */
export function Scroll() {
  const location = useLocation();
  const type = useNavigationType();
  const stays = useContext(UNSAFE_DataRouterStateContext)?.preventScrollReset === true;
  const client = useQueryClient();

  // A layout effect, so that the position of the new page is not saved as that of the previous one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useLayoutEffect(() => {
    const key = entryKey();
    const save = () => {
      positions.delete(key);
      positions.set(key, window.scrollY);
    };
    const page = new AbortController();
    const restoration = new AbortController();
    saveCurrent = undefined;
    const saveFromNow = () => {
      restoration.abort();
      save();
      saveCurrent = save;
      window.addEventListener('scroll', save, { passive: true, signal: page.signal });
    };
    page.signal.addEventListener('abort', () => restoration.abort());

    const saved = type === 'POP' ? positions.get(key) : undefined;
    const anchored = saved === undefined && location.hash !== '' && !stays;
    if (saved === undefined && !anchored && !stays) window.scrollTo(0, 0);
    if (!saved && !anchored) {
      saveFromNow();
      return () => page.abort();
    }

    /** Scrolls as far as the page is loaded; that lets parts load that wait until they are seen. Returns whether it arrived. */
    const scroll = () => {
      if (saved !== undefined) {
        window.scrollTo(0, saved);
        return Math.abs(window.scrollY - saved) < 1;
      }
      const element = elementOf(location.hash);
      element?.scrollIntoView();
      return element !== null;
    };
    const endMs = performance.now() + MAX_WAIT_MS;
    let timer = 0;
    const check = () => {
      const complete = scroll() && client.isFetching() === 0;
      if (complete || performance.now() > endMs) saveFromNow();
      else timer = window.setTimeout(check, QUIET_MS);
    };
    const observer = new ResizeObserver(() => {
      scroll();
      clearTimeout(timer);
      timer = window.setTimeout(check, QUIET_MS);
    });
    scroll();
    observer.observe(document.body);
    restoration.signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    for (const event of USER_SCROLLS) {
      window.addEventListener(event, saveFromNow, { once: true, passive: true, signal: restoration.signal });
    }
    return () => page.abort();
  }, [location]);

  return null;
}
