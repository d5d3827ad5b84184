import { type RefObject, useEffect, useState } from 'react';

/** Returns the current time in milliseconds, updated every `everyMs` in a visible tab. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const update = () => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(update, everyMs);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [everyMs]);
  return now;
}

const ROOT_MARGIN = '200px';

/** Returns whether an element has come within 200 px of the viewport since it was rendered. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || seen) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
      },
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, seen]);
  return seen;
}

const REST_MS = 6_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const;

/** Returns whether the visitor has done something, or the page was there for 6 s: a broadcast is not part of the first load. */
export function useAtRest(): boolean {
  const [atRest, setAtRest] = useState(false);
  useEffect(() => {
    const seen = new AbortController();
    const rest = () => setAtRest(true);
    const timer = setTimeout(rest, REST_MS);
    for (const sign of SIGNS) window.addEventListener(sign, rest, { once: true, passive: true, signal: seen.signal });
    return () => {
      clearTimeout(timer);
      seen.abort();
    };
  }, []);
  return atRest;
}
