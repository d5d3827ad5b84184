import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { Footer } from './footer.tsx';
import { LateScroll } from './late-scroll.tsx';
import './layout.css';
import { NavBar } from './nav-bar.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import { ConnectionStrip, EventBanner } from './strips.tsx';

/** Renders the frame of every page: skip link, navigation bar, animated floor, main, footer. */
export function Layout() {
  const busy = useNavigation().state !== 'idle';
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
        <Outlet />
      </main>
      <Footer />
      <RouteAnnouncer />
      <ScrollRestoration />
      <LateScroll />
    </div>
  );
}
