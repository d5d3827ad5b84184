import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Loading } from '../components/spinner.tsx';
import { decideAccess, type Requirement } from '../lib/access.ts';
import { clearReturnPlace, isOwnPath, keepReturnPlace, readReturnPlace } from '../lib/return-place.ts';
import { useSession } from '../lib/session.ts';
import { AccessDenied } from './access-denied.tsx';
import { Unreachable } from './unreachable.tsx';

function Ask({ to }: { to: '/login' | '/verify-account' }) {
  const location = useLocation();
  const from = (location.state as { from?: unknown } | null)?.from;
  // From /verify-account to /login the place first asked for is carried on.
  const place = isOwnPath(from) ? from : `${location.pathname}${location.search}${location.hash}`;
  useEffect(() => {
    if (location.pathname !== '/verify-account') keepReturnPlace(place);
  }, [place, location.pathname]);
  return <Navigate to={to} replace state={{ from: place }} />;
}

function Return() {
  const location = useLocation();
  const from = (location.state as { from?: unknown } | null)?.from;
  const usable = isOwnPath(from) && from !== '/verify-account' ? from : null;
  const [place] = useState(() => usable ?? readReturnPlace() ?? '/dashboard');
  useEffect(() => clearReturnPlace(), []);
  return <Navigate to={place} replace />;
}

/** Shows the pages below it, or what stands in their place, by the specification's table of access. */
export function Guard({ requirement }: { requirement: Requirement }) {
  const session = useSession();
  const decision = decideAccess(requirement, session);
  switch (decision.kind) {
    case 'show':
      return <Outlet />;
    case 'loading':
      return <Loading />;
    case 'unreachable':
      return <Unreachable />;
    case 'denied':
      return <AccessDenied />;
    case 'ask':
      return <Ask to={decision.to} />;
    case 'return':
      return <Return />;
  }
}
