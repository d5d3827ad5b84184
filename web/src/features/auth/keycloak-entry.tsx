import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import type { AppConfig } from '../../lib/types.ts';

/** The way to Keycloak and, after its redirect, back. Its client is fetched here only. */
export function KeycloakEntry({ config, action }: { config: AppConfig; action: 'login' | 'register' }) {
  const [error, setError] = useState('');

  useEffect(() => {
    import('../../lib/keycloak.ts')
      .then((keycloak) => keycloak.resumeKeycloak(config))
      .catch(() => setError('Login failed. Please try again.'));
  }, [config]);

  const visit = async () => {
    setError('');
    try {
      const { visitKeycloak } = await import('../../lib/keycloak.ts');
      await visitKeycloak(config, action);
    } catch {
      setError('An unexpected error occurred.');
    }
  };

  return (
    <div className="stack">
      <ErrorBox text={error} />
      <p>Accounts are kept by the organisers' single sign-on.</p>
      <Button onClick={() => void visit()}>{action === 'login' ? 'Login' : 'Register'}</Button>
    </div>
  );
}
