import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Icon } from '../../components/icon.tsx';
import { useAppConfig } from '../../lib/app-config.ts';
import { saveReturnPath } from '../../session/return-path.ts';
import { redirectToSingleSignOn, useSingleSignOnProblem } from '../../session/single-sign-on.ts';

/** Shows the button for the login at Keycloak, beside a form; renders nothing with own accounts. `immediate` redirects without a click. */
export function SingleSignOnEntry({ immediate = false }: { immediate?: boolean }) {
  const { identity } = useAppConfig();
  const problem = useSingleSignOnProblem();
  const location = useLocation();
  const [busy, setBusy] = useState(false);
  const offered = identity === 'keycloak';

  useEffect(() => {
    if (offered && immediate) void redirectToSingleSignOn();
  }, [offered, immediate]);

  // The browser may restore this page from its cache with the state that it had when it redirected to Keycloak.
  useEffect(() => {
    const reset = () => setBusy(false);
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  if (!offered) return null;
  const signIn = async () => {
    setBusy(true);
    const { from } = (location.state ?? {}) as { from?: unknown };
    if (typeof from === 'string') saveReturnPath(from);
    await redirectToSingleSignOn();
    setBusy(false);
  };
  return (
    <div className="stack">
      <p className="auth-or">or</p>
      <ErrorBox text={problem} />
      <Button variant="secondary" disabled={busy} onClick={() => void signIn()}>
        <Icon name="key" />
        {busy ? 'Opening single sign-on...' : 'Sign in with single sign-on'}
      </Button>
    </div>
  );
}
