import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Vertical position of each visited entry of the history, by its key. */
const positions = new Map<string, number>();
const MAX_WAIT_MS = 5_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Completes react-router's ScrollRestoration: after Back or Forward, a page whose parts load late is too short for its former position
 * at first. Scrolls there whenever the page's height changes, until the user scrolls, and for at most 5 s.
 */
export function LateScroll() {
  const { key } = useLocation();
  const type = useNavigationType();

  // A layout effect: the browser must not report the scrolling to the new page as that of the previous one.
  useLayoutEffect(() => {
    const target = type === 'POP' ? (positions.get(key) ?? 0) : 0;
    const save = () => positions.set(key, window.scrollY);
    const room = () => document.documentElement.scrollHeight - window.innerHeight;
    const start = new AbortController();
    const follow = () => {
      start.abort();
      save();
      window.addEventListener('scroll', save, { passive: true });
    };
    if (target === 0) {
      follow();
    } else {
      // Parts that load above the visible ones move them, so the page is scrolled again after each change.
      const observer = new ResizeObserver(() => {
        if (room() >= target) window.scrollTo(0, target);
      });
      observer.observe(document.body);
      const timer = setTimeout(follow, MAX_WAIT_MS);
      start.signal.addEventListener('abort', () => {
        observer.disconnect();
        clearTimeout(timer);
      });
      for (const event of USER_SCROLLS) {
        window.addEventListener(event, follow, { once: true, passive: true, signal: start.signal });
      }
    }
    return () => {
      start.abort();
      window.removeEventListener('scroll', save);
    };
  }, [key, type]);

  return null;
}
