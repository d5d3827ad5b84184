import { useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { Icon } from '../components/icon.tsx';
import { useAppConfig } from '../lib/app-config.ts';
import { useSession } from '../session/session.ts';
import { logOut } from '../session/sign-in.ts';
import './nav-bar.css';

/** Returns whether the page is scrolled by more than `threshold` pixels. */
function useScrolled(threshold: number): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const read = () => setScrolled(window.scrollY > threshold);
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, [threshold]);
  return scrolled;
}

type Item = {
  to: string;
  label: string;
  end?: boolean;
  /** Further pages for which the link is highlighted. */
  relatedPaths?: readonly string[];
};

const ALWAYS: Item[] = [
  { to: '/', label: 'Home', end: true },
  { to: '/games', label: 'Games' },
  { to: '/ladder', label: 'Ladder' },
];
const TOURNAMENTS: Item = { to: '/tournaments', label: 'Tournaments' };
const SIGNED_IN: Item[] = [
  { to: '/submission', label: 'Submission' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/leaderboard', label: 'Leaderboard' },
];
const ADMIN: Item = { to: '/admin', label: 'Admin', relatedPaths: ['/simulation', '/llm-batch', '/container-manager'] };
const SIGNED_OUT: Item[] = [
  { to: '/about', label: 'About' },
  { to: '/login', label: 'Login' },
  { to: '/register', label: 'Register' },
];

function BarLink({ item }: { item: Item }) {
  const { pathname } = useLocation();
  const within = item.relatedPaths?.includes(pathname) ?? false;
  return (
    <li>
      <NavLink className={within ? 'bar-link bar-link-within' : 'bar-link'} to={item.to} end={item.end ?? false}>
        {item.label}
      </NavLink>
    </li>
  );
}

export function NavBar() {
  const { user, phase } = useSession();
  const navigate = useNavigate();
  const location = useLocation();
  const scrolled = useScrolled(10);
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on every navigation
  useEffect(() => setOpen(false), [location.key]);

  const handleLogOut = async () => {
    setOpen(false);
    // Navigates before the session ends, so that no guard saves this page as the return path.
    await navigate('/', { flushSync: true });
    await logOut();
  };
  const { tournaments = false } = useAppConfig();
  const always = tournaments ? [...ALWAYS, TOURNAMENTS] : ALWAYS;
  const left = user ? [...always, ...SIGNED_IN, ...(user.admin ? [ADMIN] : [])] : always;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from its toggle as well as from its links
    <header
      className={scrolled || open ? 'bar bar-scrolled' : 'bar'}
      onClick={(event) => {
        if ((event.target as Element).closest('a')) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        toggle.current?.focus();
      }}
    >
      <div className="bar-inner">
        <Link className="brand" to="/">
          <Icon name="spade" />
          <span>
            Husky Hold'em<span className="brand-tail"> Bench</span>
          </span>
        </Link>
        <button
          ref={toggle}
          type="button"
          className="menu-toggle"
          aria-expanded={open}
          aria-controls="site-menu"
          aria-label={open ? 'Close menu' : 'Open menu'}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} />
        </button>
        <nav id="site-menu" className={open ? 'bar-nav bar-nav-open' : 'bar-nav'} aria-label="Main">
          <ul className="bar-links">
            {left.map((item) => (
              <BarLink key={item.to} item={item} />
            ))}
          </ul>
          <ul className="bar-links">
            {user ? (
              <>
                <li>
                  <NavLink className="bar-link" to="/profile" end>
                    <span className="bar-greeting">Hello,&nbsp;</span>
                    <span className="bar-user" title={user.username}>
                      {user.username}
                    </span>
                  </NavLink>
                </li>
                <li>
                  <button type="button" className="bar-button" onClick={() => void handleLogOut()}>
                    Logout
                  </button>
                </li>
              </>
            ) : (
              phase !== 'checking' && SIGNED_OUT.map((item) => <BarLink key={item.to} item={item} />)
            )}
          </ul>
        </nav>
      </div>
    </header>
  );
}
