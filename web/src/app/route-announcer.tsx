import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

const TITLE_DELAY_MS = 150;

/** Moves the focus to main after a navigation and announces the new title to screen readers. */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  const [announced, setAnnounced] = useState('');

  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
    const timer = setTimeout(() => setAnnounced(document.title), TITLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [pathname]);

  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {announced}
    </div>
  );
}
