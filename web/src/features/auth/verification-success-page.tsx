import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { checkSession } from '../../session/session.ts';
import { AuthCard } from './auth-form.tsx';

/** Shows the target page of mailed links. ?error: the link was not valid; ?for=new-address: the link changes the e-mail address. */
export function VerificationSuccessPage() {
  const [params] = useSearchParams();
  const failed = params.has('error');
  const changed = params.get('for') === 'new-address';

  // Updates a session of this browser that was opened before the verification.
  useEffect(() => {
    if (!failed) void checkSession();
  }, [failed]);

  if (changed) return <NewAddress failed={failed} />;
  if (failed) {
    return (
      <AuthCard title="Link not valid" tabTitle="Verification link not valid">
        <p role="alert">
          This verification link has been used, has expired or is incomplete. Log in and request a new one.
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

function NewAddress({ failed }: { failed: boolean }) {
  if (failed) {
    return (
      <AuthCard title="Link not valid" tabTitle="Link not valid">
        <p role="alert">
          This link has been used or has expired, or another account has this address. Your address has not changed.
        </p>
        <ButtonLink to="/account">Account settings</ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="E-mail Address Changed" tabTitle="E-mail address changed">
      <p>E-mails now go to your new address. You stay logged in everywhere.</p>
      <ButtonLink to="/account">Account settings</ButtonLink>
    </AuthCard>
  );
}
