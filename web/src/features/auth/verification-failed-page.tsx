import { ButtonLink } from '../../components/button.tsx';
import { AuthCard } from './auth-card.tsx';

export function VerificationFailedPage() {
  return (
    <AuthCard title="Link not valid" tabTitle="Verification link not valid">
      <p>
        This verification link was used already, is too old, or was cut off by the mail program. Log in and ask for a
        new one.
      </p>
      <ButtonLink to="/verify-account">Get a new link</ButtonLink>
    </AuthCard>
  );
}
