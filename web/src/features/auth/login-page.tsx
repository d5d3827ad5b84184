import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { useAppConfig } from '../../lib/app-config.ts';
import { logIn, loginErrorText } from '../../lib/identity.ts';
import { AuthCard } from './auth-card.tsx';
import { checkLogin } from './form-rules.ts';
import { KeycloakEntry } from './keycloak-entry.tsx';

export function LoginPage() {
  const config = useAppConfig();
  return (
    <AuthCard title="Welcome Back" tabTitle="Login">
      {config.identity === 'keycloak' ? <KeycloakEntry config={config} action="login" /> : <LoginForm />}
    </AuthCard>
  );
}

function LoginForm() {
  const location = useLocation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const problem = checkLogin({ username, password });
    setError(problem);
    if (problem !== '') return;
    setBusy(true);
    try {
      // The guard around this page leads on, to the place asked for.
      await logIn(username.trim(), password);
    } catch (failure) {
      setError(loginErrorText(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorBox text={error} />
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" disabled={busy}>
        {busy ? 'Logging in...' : 'Login'}
      </Button>
      <p className="muted">
        Don't have an account?{' '}
        <Link to="/register" state={location.state}>
          Register
        </Link>
      </p>
      <p className="muted">
        <Link to="/forgot-password">Forgot your password?</Link>
      </p>
    </form>
  );
}
