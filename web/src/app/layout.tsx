import { isRouteErrorResponse, Outlet, useLocation, useNavigation, useRouteError } from 'react-router';
import { Footer } from './footer.tsx';
import './layout.css';

import { lazy, Suspense, useEffect, useRef, useState } from 'react';

import { Button } from '../components/button.tsx';
import { Notice } from '../components/feedback.tsx';
import { usePageTitle } from '../components/page.tsx';

import { NavBar } from './nav-bar.tsx';
import { NotFoundPage } from './notices.tsx';
import { Scroll } from './scroll.tsx';
import { ConnectionStrip, EventBanner } from './strips.tsx';

/** Loaded for addresses of citations only. Outside of a page's error boundary, so a failure leaves it out. */
const SnapshotStrip = lazy(() =>
  import('./snapshot-strip.tsx').then(
    (loaded) => ({ default: loaded.SnapshotStrip }),
    () => ({ default: () => null }),
  ),
);

/** Renders the frame of every page: skip link, navigation bar, animated floor, main, footer. */
export function Layout() {
  const busy = useNavigation().state !== 'idle';
  const { search } = useLocation();
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <div className="floor" aria-hidden="true">
        <div className="floor-plane">
          <div className="floor-lines" />
        </div>
      </div>
      <NavBar />
      {busy && <div className="progress" aria-hidden="true" />}
      <main id="main" className="shell-main" tabIndex={-1} aria-busy={busy}>
        <EventBanner />
        <ConnectionStrip />
        {search.includes('snapshot=') && (
          <Suspense fallback={null}>
            <SnapshotStrip />
          </Suspense>
        )}
        <Outlet />
      </main>
      <Footer />
      <RouteAnnouncer />
      <Scroll />
    </div>
  );
}

const TITLE_DELAY_MS = 150;

/** Moves the focus to main after a navigation and announces the new title to screen readers. */
function RouteAnnouncer() {
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

/** Shows the error of a page between the navigation bar and the footer. Error boundary of every page. */
export function RouteError() {
  const error = useRouteError();
  usePageTitle('Something went wrong');
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  const outdated = error instanceof TypeError && /import/i.test(error.message);
  return (
    <Notice title="Something went wrong">
      <p role="alert">
        {outdated
          ? 'This page could not be loaded. The site may have been updated, or your connection was interrupted. Reload the page.'
          : 'An error occurred on this page. Reload the page to continue.'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Notice>
  );
}
