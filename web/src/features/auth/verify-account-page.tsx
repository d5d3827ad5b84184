import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { api } from '../../lib/api.ts';
import { detailOf, isApiError } from '../../lib/api-error.ts';
import { RESEND_COOLDOWN_S, resendCooldown, useCooldown } from '../../lib/cooldown.ts';
import { checkSession, useSession } from '../../session/session.ts';
import { logOut } from '../../session/sign-in.ts';
import { AuthCard } from './auth-form.tsx';

const CHECK_MS = 10_000;

export function VerifyAccountPage() {
  const { user } = useSession();
  const navigate = useNavigate();
  const cooldown = useCooldown(resendCooldown(user?.username ?? ''), RESEND_COOLDOWN_S);
  const [error, setError] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);

  // The mailed link may be opened elsewhere; when the check finds the account verified, the guard redirects.
  useEffect(() => {
    const check = () => {
      if (!document.hidden) void checkSession();
    };
    const timer = setInterval(check, CHECK_MS);
    window.addEventListener('focus', check);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', check);
    };
  }, []);

  const resend = async () => {
    setBusy(true);
    setError('');
    setMessage('');
    try {
      const response = await api.post('/auth/resend-verification');
      setMessage(response.message || 'Verification email sent.');
      cooldown.start();
    } catch (failure) {
      setError(detailOf(failure, 'Failed to send verification email. Please try again.'));
      if (isApiError(failure, 429)) cooldown.start(failure.retryAfter);
    } finally {
      setBusy(false);
    }
  };

  const handleLogOut = async () => {
    // Navigates before the session ends, so that no guard saves this page as the return path.
    await navigate('/', { flushSync: true });
    await logOut();
  };

  const waiting = cooldown.left > 0;
  return (
    <AuthCard title="Verify Your Account" tabTitle="Verify your account">
      <p>
        We sent a link to <strong>{user?.email_unicode ?? user?.email ?? 'your e-mail address'}</strong>. Follow it to
        unlock uploads, the dashboard and the leaderboard. This page continues automatically once you have.
      </p>
      <ErrorBox text={error} />
      <p role="status" className={message ? 'positive' : 'visually-hidden'}>
        {message}
      </p>
      <Button onClick={() => void resend()} disabled={busy || waiting}>
        {waiting ? `Resend in ${cooldown.left}s` : 'Resend Verification Email'}
      </Button>
      <Button variant="ghost" onClick={() => void handleLogOut()}>
        Logout
      </Button>
    </AuthCard>
  );
}
