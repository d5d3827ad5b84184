import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Vertical position of each visited entry of the history, by its key. */
const positions = new Map<string, number>();
const MAX_WAIT_MS = 5_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position after Back or Forward on pages whose parts load late: they are too short when react-router's
 * ScrollRestoration scrolls. Scrolls whenever the page's height changes, until the user scrolls, for at most 5 s.
 */
export function LateScroll() {
  const { key } = useLocation();
  const type = useNavigationType();

  // A layout effect, so that the position of the new page is not saved as that of the previous one.
  useLayoutEffect(() => {
    const target = type === 'POP' ? (positions.get(key) ?? 0) : 0;
    const save = () => positions.set(key, window.scrollY);
    const maxScrollY = () => document.documentElement.scrollHeight - window.innerHeight;
    const restoration = new AbortController();
    const trackPosition = () => {
      restoration.abort();
      save();
      window.addEventListener('scroll', save, { passive: true });
    };
    if (target === 0) {
      trackPosition();
    } else {
      // Parts that load above the visible ones move them, so the page is scrolled again after each change.
      const observer = new ResizeObserver(() => {
        if (maxScrollY() >= target) window.scrollTo(0, target);
      });
      observer.observe(document.body);
      const timer = setTimeout(trackPosition, MAX_WAIT_MS);
      restoration.signal.addEventListener('abort', () => {
        observer.disconnect();
        clearTimeout(timer);
      });
      for (const event of USER_SCROLLS) {
        window.addEventListener(event, trackPosition, { once: true, passive: true, signal: restoration.signal });
      }
    }
    return () => {
      restoration.abort();
      window.removeEventListener('scroll', save);
    };
  }, [key, type]);

  return null;
}
