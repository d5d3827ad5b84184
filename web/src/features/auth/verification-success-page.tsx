import { ButtonLink } from '../../components/button.tsx';
import { AuthCard } from './auth-card.tsx';

export function VerificationSuccessPage() {
  return (
    <AuthCard title="Email Verified" tabTitle="Email verified">
      <p>Your e-mail address is confirmed. You can now log in, upload a bot and run test matches.</p>
      <ButtonLink to="/login">Proceed to Login</ButtonLink>
    </AuthCard>
  );
}
