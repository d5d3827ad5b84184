import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { checkSession } from '../../lib/session.ts';
import { AuthCard } from './auth-card.tsx';

/** Where the mailed link leads; with ?error the link was not valid. */
export function VerificationSuccessPage() {
  const [params] = useSearchParams();
  const failed = params.has('error');

  // A session that was opened unverified in this browser learns of it now.
  useEffect(() => {
    if (!failed) void checkSession();
  }, [failed]);

  if (failed) {
    return (
      <AuthCard title="Link not valid" tabTitle="Verification link not valid">
        <p role="alert">
          This verification link was used already, is too old, or was cut off by the mail program. Log in and ask for a
          new one.
        </p>
        <ButtonLink to="/verify-account">Get a new link</ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Email Verified" tabTitle="Email verified">
      <p>Your e-mail address is confirmed. You can now log in, upload a bot and run test matches.</p>
      <ButtonLink to="/login">Proceed to Login</ButtonLink>
    </AuthCard>
  );
}
