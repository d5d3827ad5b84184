import { useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Loading } from '../components/feedback.tsx';
import { decideAccess, type Requirement } from '../session/access.ts';
import { clearReturnPath, isOwnPath, loadReturnPath, saveReturnPath } from '../session/return-path.ts';
import { isSignInOfAnotherTab, useSession } from '../session/session.ts';
import { AccessDenied, Unreachable } from './notices.tsx';

function RedirectToSignIn({ to }: { to: '/login' | '/verify-account' }) {
  const location = useLocation();
  const from = (location.state as { from?: unknown } | null)?.from;
  // A redirect from /verify-account to /login keeps the path requested first.
  const path = isOwnPath(from) ? from : `${location.pathname}${location.search}${location.hash}`;
  useEffect(() => {
    if (location.pathname !== '/verify-account') saveReturnPath(path);
  }, [path, location.pathname]);
  return <Navigate to={to} replace state={{ from: path }} />;
}

function RedirectToReturnPath() {
  const location = useLocation();
  const from = (location.state as { from?: unknown } | null)?.from;
  const requested = isOwnPath(from) && from !== '/verify-account' ? from : null;
  const [path] = useState(() => requested ?? loadReturnPath() ?? '/dashboard');
  // Only the tab of the sign-in clears it: tabs that follow may render earlier.
  useEffect(() => {
    if (!isSignInOfAnotherTab()) clearReturnPath();
  }, []);
  return <Navigate to={path} replace />;
}

/** Returns the user who had the current location open before the session changed, or null. */
function useEarlierUser(current: string | null): string | null {
  const { key } = useLocation();
  const opened = useRef<{ key: string; username: string } | null>(null);
  const earlier = opened.current?.key === key ? opened.current.username : null;
  useEffect(() => {
    if (current !== null && earlier === null) opened.current = { key, username: current };
  }, [key, current, earlier]);
  return earlier === current ? null : earlier;
}

/** Renders the child routes if the session meets the requirement, else a redirect or the page that explains the refusal. */
export function Guard({ requirement }: { requirement: Requirement }) {
  const session = useSession();
  const earlierUser = useEarlierUser(session.user?.username ?? null);
  const decision = decideAccess(requirement, session);
  switch (decision.kind) {
    case 'show':
      return <Outlet />;
    case 'loading':
      return <Loading />;
    case 'unreachable':
      return <Unreachable />;
    case 'denied':
      // The previous user opened the page, not the current one.
      return earlierUser === null ? <AccessDenied /> : <Navigate to="/dashboard" replace />;
    case 'redirect':
      // After a sign-out the page is not the destination of the next sign-in.
      return earlierUser === null ? <RedirectToSignIn to={decision.to} /> : <Navigate to={decision.to} replace />;
    case 'return':
      return <RedirectToReturnPath />;
  }
}
