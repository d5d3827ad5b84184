import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { usePageTitle } from '../components/page.tsx';
import { checkSession } from '../session/session.ts';

export function Unreachable() {
  usePageTitle('Server not reachable');
  return (
    <Notice title="Server not reachable">
      <p role="status">Your sign-in could not be checked. You are still signed in; this page keeps trying.</p>
      <Button onClick={() => void checkSession()}>Try again</Button>
    </Notice>
  );
}
