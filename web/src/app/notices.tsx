import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/feedback.tsx';
import { usePageTitle } from '../components/page.tsx';
import { checkSession } from '../session/session.ts';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <Notice title="Page not found" code="404">
      <p>There is no page at this address. Check the link, or start from the home page.</p>
      <ButtonLink to="/">Go to Home</ButtonLink>
    </Notice>
  );
}

export function Unreachable() {
  usePageTitle('Server not reachable');
  return (
    <Notice title="Server not reachable">
      <p role="status">Your sign-in could not be checked. You are still signed in. This page retries automatically.</p>
      <Button onClick={() => void checkSession()}>Try again</Button>
    </Notice>
  );
}

export function AccessDenied() {
  usePageTitle('Access Denied');
  const navigate = useNavigate();
  const goBack = () => {
    // A page opened in a new tab has no history.
    if (window.history.length > 1) void navigate(-1);
    else void navigate('/');
  };
  return (
    <Notice title="Access Denied" code="403">
      <p>You don't have admin privileges to access this page</p>
      <Button onClick={goBack}>Go Back</Button>
    </Notice>
  );
}
